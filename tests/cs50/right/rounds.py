"""ac3 without arcs goes round and round; the search is a generator of all solutions."""

from crossword import *  # noqa: F403
from plain import CrosswordCreator as Plain


class CrosswordCreator(Plain):
    def ac3(self, arcs=None):
        if arcs is not None:
            return super().ac3(list(arcs))
        changed = True
        while changed:
            changed = False
            for x, y in self.crossword.overlaps:
                if self.revise(x, y):
                    changed = True
        return all(self.domains.values())

    def backtrack(self, assignment):
        return next(self.solutions(assignment), None)

    def solutions(self, assignment):
        if self.assignment_complete(assignment):
            yield assignment
            return
        var = self.select_unassigned_variable(assignment)
        for word in self.order_domain_values(var, assignment):
            attempt = assignment | {var: word}
            if self.consistent(attempt):
                yield from self.solutions(attempt)
