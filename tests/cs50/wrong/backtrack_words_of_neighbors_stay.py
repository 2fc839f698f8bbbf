"""A domain loses a word for good when it has been tried, here and in all later calls.

Caught by solve_small: Is the old state put back when a word fails
"""


def backtrack(self, assignment):
    if self.assignment_complete(assignment):
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        attempt = {**assignment, var: word}
        if self.consistent(attempt):
            result = self.backtrack(attempt)
            if result is not None:
                return result
        self.domains[var].discard(word)
    return None
