"""The result of the inner call is not returned.

Caught by solve_unique: Does backtrack return what the call of itself returned
"""


def backtrack(self, assignment):
    if self.assignment_complete(assignment):
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        attempt = {**assignment, var: word}
        if self.consistent(attempt):
            self.backtrack(attempt)
