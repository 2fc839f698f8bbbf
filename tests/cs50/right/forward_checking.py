"""Neighbors without a word lose what does not agree, and get it back when the word fails."""

from crossword import *  # noqa: F403
from plain import CrosswordCreator as Plain


class CrosswordCreator(Plain):
    def backtrack(self, assignment):
        if self.assignment_complete(assignment):
            return dict(assignment)
        var = self.select_unassigned_variable(assignment)
        for word in self.order_domain_values(var, assignment):
            assignment[var] = word
            removed = {}
            if self.consistent(assignment):
                for other in self.crossword.neighbors(var):
                    if other not in assignment:
                        i, j = self.crossword.overlaps[var, other]
                        gone = {theirs for theirs in self.domains[other] if theirs[j] != word[i]}
                        self.domains[other] -= gone
                        removed[other] = gone
                result = None
                if all(self.domains[other] for other in removed):
                    result = self.backtrack(assignment)
                for other, gone in removed.items():
                    self.domains[other] |= gone
                if result is not None:
                    return result
            assignment.pop(var)
        return None
