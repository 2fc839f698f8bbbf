"""It stops when one variable is still without a word.

Caught by solve_unique: has no word
"""


def backtrack(self, assignment):
    if len(assignment) >= len(self.crossword.variables) - 1:
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        attempt = {**assignment, var: word}
        if self.consistent(attempt):
            result = self.backtrack(attempt)
            if result is not None:
                return result
    return None
