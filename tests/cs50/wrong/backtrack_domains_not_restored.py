"""What inference has removed stays removed when the word fails.

Caught by solve_small: the domains as well as the assignment
"""


def backtrack(self, assignment):
    if self.assignment_complete(assignment):
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        attempt = {**assignment, var: word}
        if self.consistent(attempt):
            self.domains[var] = {word}
            if self.ac3([(other, var) for other in self.crossword.neighbors(var)]):
                result = self.backtrack(attempt)
                if result is not None:
                    return result
    return None
