"""Inference is a method that returns what follows, and what follows joins the assignment."""

from copy import deepcopy

from crossword import *  # noqa: F403
from maintaining import CrosswordCreator as Maintaining


class CrosswordCreator(Maintaining):
    def backtrack(self, assignment):
        if len(assignment) == len(self.crossword.variables):
            return assignment if self.consistent(assignment) else None
        var = self.select_unassigned_variable(assignment)
        for word in self.order_domain_values(var, assignment):
            before = deepcopy(self.domains)
            attempt = assignment.copy()
            attempt[var] = word
            if self.consistent(attempt):
                self.domains[var] = {word}
                inferred = self.inference(var, attempt)
                if inferred is not None:
                    attempt.update(inferred)
                    if self.consistent(attempt):
                        result = self.backtrack(attempt)
                        if result is not None:
                            return result
            self.domains = before
        return None

    def inference(self, var, assignment):
        if not self.ac3([(other, var) for other in self.crossword.neighbors(var)]):
            return None
        return {
            other: next(iter(words))
            for other, words in self.domains.items()
            if other not in assignment and len(words) == 1
        }
