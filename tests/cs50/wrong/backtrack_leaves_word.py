"""A word that has failed stays in the assignment.

Caught by solve_small: Is the old state put back when a word fails
"""


def backtrack(self, assignment):
    if self.assignment_complete(assignment):
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        assignment[var] = word
        if self.consistent(assignment):
            result = self.backtrack(assignment)
            if result is not None:
                return result
    return None
