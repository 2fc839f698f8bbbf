"""The result of the first word is returned, whatever it is.

Caught by solve_small: but there is a solution
"""


def backtrack(self, assignment):
    if self.assignment_complete(assignment):
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        attempt = {**assignment, var: word}
        if self.consistent(attempt):
            return self.backtrack(attempt)
    return None
