"""Ties are not broken: a loop keeps the last of the smallest.

Caught by select_degree: Among equally small domains
"""


def select_unassigned_variable(self, assignment):
    best = None
    for var in self.domains:
        if var in assignment:
            continue
        if best is None or len(self.domains[var]) <= len(self.domains[best]):
            best = var
    return best
