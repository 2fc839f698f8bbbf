"""What every program gets from the course: the domains, the ways to show a fill, and solve."""

import sys

from crossword import *  # noqa: F403


class Given:
    def __init__(self, crossword):
        self.crossword = crossword
        self.domains = {var: crossword.words.copy() for var in crossword.variables}

    def letter_grid(self, assignment):
        letters = [[None] * self.crossword.width for _ in range(self.crossword.height)]
        for var, word in assignment.items():
            for (i, j), letter in zip(var.cells, word, strict=True):
                letters[i][j] = letter
        return letters

    def print(self, assignment):
        for cells, letters in zip(
            self.crossword.structure, self.letter_grid(assignment), strict=True
        ):
            for is_open, letter in zip(cells, letters, strict=True):
                print((letter or " ") if is_open else "█", end="")
            print()

    def solve(self):
        self.enforce_node_consistency()
        self.ac3()
        return self.backtrack({})


def main(creator_class):
    """Do what the command line says."""
    if len(sys.argv) not in (3, 4):
        sys.exit("Usage: python generate.py structure words [output]")
    creator = creator_class(Crossword(*sys.argv[1:3]))  # noqa: F405
    assignment = creator.solve()
    if assignment is None:
        print("No solution.")
    else:
        creator.print(assignment)
