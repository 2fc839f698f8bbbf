"""Ties are not broken.

Caught by select_degree: Among equally small domains
"""


def select_unassigned_variable(self, assignment):
    free = [var for var in self.crossword.variables if var not in assignment]
    return min(free, key=lambda var: len(self.domains[var]))
