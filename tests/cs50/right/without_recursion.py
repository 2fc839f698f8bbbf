"""The search keeps a stack of its own instead of calling itself."""

from crossword import *  # noqa: F403
from maintaining import CrosswordCreator as Maintaining


class CrosswordCreator(Maintaining):
    def backtrack(self, assignment):
        if self.assignment_complete(assignment):
            return assignment
        var = self.select_unassigned_variable(assignment)
        stack = [(dict(assignment), var, iter(self.order_domain_values(var, assignment)))]
        while stack:
            made, var, words = stack[-1]
            word = next(words, None)
            if word is None:
                stack.pop()
                continue
            attempt = dict(made)
            attempt[var] = word
            if not self.consistent(attempt):
                continue
            if self.assignment_complete(attempt):
                return attempt
            following = self.select_unassigned_variable(attempt)
            ordered = self.order_domain_values(following, attempt)
            stack.append((attempt, following, iter(ordered)))
        return None
