"""The dictionary of domains is copied, but its sets are the old ones and get changed in place.

Caught by solve_small: Is the old state put back when a word fails
"""


def revise(self, x, y):
    overlap = self.crossword.overlaps[x, y]
    if overlap is None:
        return False
    i, j = overlap
    letters = {word[j] for word in self.domains[y]}
    gone = {word for word in self.domains[x] if word[i] not in letters}
    self.domains[x] -= gone
    return bool(gone)


def backtrack(self, assignment):
    if self.assignment_complete(assignment):
        return assignment
    var = self.select_unassigned_variable(assignment)
    for word in self.order_domain_values(var, assignment):
        attempt = {**assignment, var: word}
        if self.consistent(attempt):
            saved = self.domains.copy()
            self.domains[var] = {word}
            if self.ac3([(other, var) for other in self.crossword.neighbors(var)]):
                result = self.backtrack(attempt)
                if result is not None:
                    return result
            self.domains = saved
    return None
