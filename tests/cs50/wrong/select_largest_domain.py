"""The variable with the most words is taken.

Caught by select_mrv: the smallest len(self.domains[var])
"""


def select_unassigned_variable(self, assignment):
    free = [var for var in self.crossword.variables if var not in assignment]
    return max(free, key=lambda var: (len(self.domains[var]), len(self.crossword.neighbors(var))))
