"""The search is a generator of all solutions, of which backtrack takes the first."""

from crossword import *  # noqa: F403
from plain import CrosswordCreator as Plain


class CrosswordCreator(Plain):
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
