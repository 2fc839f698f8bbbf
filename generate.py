"""Fill a crossword as CS50 AI's program does: python generate.py structure words [output].

Prints the filled grid, or "No solution."; with a third argument it draws the grid into that image
file as well. The classes are those of ``satcross.cs50``, unless a ``crossword.py`` lies beside this
file: then Variable and Crossword come from there. The standard library is all that is needed, and
Pillow for the image.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).absolute().parent
if sys.path[:1] != [str(HERE)]:  # python -I and importers by path leave it out
    sys.path.insert(0, str(HERE))

if (HERE / "crossword.py").exists():
    from crossword import *  # type: ignore  # noqa: F403
else:
    from satcross.cs50 import Crossword, Variable
from satcross.cs50 import CrosswordCreator  # noqa: E402

__all__ = ["Crossword", "CrosswordCreator", "Variable", "main"]


def main() -> None:
    """Do what the command line says."""
    if len(sys.argv) not in (3, 4):
        sys.exit("Usage: python generate.py structure words [output]")
    structure, words, *output = sys.argv[1:]

    try:
        crossword = Crossword(structure, words)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    except UnicodeDecodeError as error:
        sys.exit(f"{structure} or {words}: not text in {error.encoding}")
    except ValueError:
        sys.exit(f"{structure}: the structure is empty")
    creator = CrosswordCreator(crossword)
    assignment = creator.solve()
    if assignment is None:
        print("No solution.")
        return

    if hasattr(sys.stdout, "reconfigure"):
        # Some consoles have no full block in their alphabet. Better a question mark than no grid.
        sys.stdout.reconfigure(errors="replace")
    creator.print(assignment)
    if output:
        try:
            creator.save(assignment, output[0])
        except ImportError as error:
            sys.exit(f"{output[0]}: {error}; to draw pictures, install Pillow")
        except (OSError, ValueError) as error:
            sys.exit(f"{output[0]}: {getattr(error, 'strerror', None) or error}")


if __name__ == "__main__":
    main()
