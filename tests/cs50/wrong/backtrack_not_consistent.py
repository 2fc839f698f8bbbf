"""Whether the new word agrees with the others is not asked.

Caught by solve_small: do not agree where they cross
"""


def backtrack(self, assignment):
    if self.assignment_complete(assignment):
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        result = self.backtrack({**assignment, var: word})
        if result is not None:
            return result
    return None
