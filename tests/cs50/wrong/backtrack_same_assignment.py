"""The old assignment is given on, so that the search never gets further.

Caught by solve_unique: Each call of backtrack must be given one more variable
"""


def backtrack(self, assignment):
    if self.assignment_complete(assignment):
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        attempt = {**assignment, var: word}
        if self.consistent(attempt):
            result = self.backtrack(assignment)
            if result is not None:
                return result
    return None
