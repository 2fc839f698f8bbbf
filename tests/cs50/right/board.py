"""Consistency by writing the words on a board; completeness by counting."""

from crossword import *  # noqa: F403
from plain import CrosswordCreator as Plain


class CrosswordCreator(Plain):
    def assignment_complete(self, assignment):
        return len(assignment) == len(self.crossword.variables) and all(assignment.values())

    def consistent(self, assignment):
        board = {}
        seen = set()
        for var, word in assignment.items():
            if word in seen or len(word) != var.length:
                return False
            seen.add(word)
            for cell, letter in zip(var.cells, word, strict=True):
                if board.setdefault(cell, letter) != letter:
                    return False
        return True

    def select_unassigned_variable(self, assignment):
        smallest, chosen = float("inf"), []
        for var, words in self.domains.items():
            if var in assignment:
                continue
            if len(words) < smallest:
                smallest, chosen = len(words), []
            if len(words) == smallest:
                chosen.append(var)
        return max(chosen, key=lambda var: len(self.crossword.neighbors(var)))
