"""What every program gets from the course: the domains, the ways to show a fill, and solve."""

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
