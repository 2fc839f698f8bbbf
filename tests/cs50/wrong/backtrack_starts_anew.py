"""The assignment that is given is not looked at.

Caught by backtrack_partial: start no new
"""


def backtrack(self, assignment):
    return complete(self, {})


def complete(self, assignment):
    if self.assignment_complete(assignment):
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        attempt = {**assignment, var: word}
        if self.consistent(attempt):
            result = complete(self, attempt)
            if result is not None:
                return result
    return None
