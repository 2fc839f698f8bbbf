"""A board shows consistency; domains are copied before every choice; arcs wait in a dictionary."""

import copy

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

    def revise(self, x, y):
        overlap = self.crossword.overlaps[x, y]
        if overlap is None:
            return False
        letters = set()
        for word in self.domains[y]:
            letters.add(word[overlap[1]])
        wrong = set()
        for word in self.domains[x]:
            if word[overlap[0]] not in letters:
                wrong.add(word)
        self.domains[x].difference_update(wrong)
        return bool(wrong)

    def ac3(self, arcs=None):
        waiting = {}
        if arcs is None:
            for x in self.domains:
                for y in self.crossword.neighbors(x):
                    waiting[x, y] = True
        else:
            waiting = dict.fromkeys(arcs, True)
        while waiting:
            (x, y), _ = waiting.popitem()
            if self.revise(x, y):
                for z in self.crossword.neighbors(x):
                    if z is not y:
                        waiting[z, x] = True
            if len(self.domains[x]) == 0:
                return False
        return True

    def backtrack(self, assignment):
        if self.assignment_complete(assignment):
            return assignment
        var = self.select_unassigned_variable(assignment)
        for value in self.order_domain_values(var, assignment):
            before = copy.deepcopy(self.domains)
            mine = copy.copy(assignment)
            mine[var] = value
            if self.consistent(mine):
                self.domains[var] = {value}
                if self.ac3([(other, var) for other in self.crossword.neighbors(var)]):
                    result = self.backtrack(mine)
                    if result is not None:
                        return result
            self.domains = before
        return None
