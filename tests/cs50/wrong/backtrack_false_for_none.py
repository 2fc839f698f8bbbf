"""False is returned where there is no solution.

Caught by solve_none: expected None, got False
"""


def backtrack(self, assignment):
    if self.assignment_complete(assignment):
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        attempt = {**assignment, var: word}
        if self.consistent(attempt):
            result = self.backtrack(attempt)
            if result:
                return result
    return False
