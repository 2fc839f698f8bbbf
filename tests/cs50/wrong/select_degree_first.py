"""The number of neighbors comes before the number of words.

Caught by select_mrv: the smallest len(self.domains[var])
"""


def select_unassigned_variable(self, assignment):
    free = [var for var in self.crossword.variables if var not in assignment]
    return min(free, key=lambda var: (-len(self.crossword.neighbors(var)), len(self.domains[var])))
