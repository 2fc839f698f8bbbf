"""Ties are broken by the fewest neighbors.

Caught by select_degree: most self.crossword.neighbors(var)
"""


def select_unassigned_variable(self, assignment):
    free = [var for var in self.crossword.variables if var not in assignment]
    return min(free, key=lambda var: (len(self.domains[var]), len(self.crossword.neighbors(var))))
