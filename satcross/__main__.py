"""The command: ``satcross`` or ``python -m satcross``."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C is quiet even while it is still being imported."""
    try:
        from satcross.cli import main as run

        run()
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("satcross: interrupted\n")
        sys.exit(30)


if __name__ == "__main__":
    main()
