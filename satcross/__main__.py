"""The command: ``satcross`` or ``python -m satcross``."""

import gc
import sys

_ALLOCATIONS = 100_000
"""Objects made between two searches for garbage. With Python's 700, they take a tenth of an easy
run, and find nothing: most of what a run makes lives as long as it."""


def main() -> None:
    """Run the command line; Ctrl-C is quiet even while it is still being imported."""
    gc.set_threshold(_ALLOCATIONS)
    try:
        from satcross.cli import main as run

        run()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("satcross: interrupted\n")
        sys.exit(30)
    finally:
        gc.freeze()  # or Python looks for garbage once more when it ends, a seventh of an easy run
        # An interrupt that went through an exec() (of dataclasses, say) makes ``python -m`` end by
        # SIGINT although it was handled; Python forgets about it at the next exec().
        exec("")


if __name__ == "__main__":
    main()
