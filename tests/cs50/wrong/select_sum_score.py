"""The degree is taken from the number of words.

Caught by select_mrv: one with the smallest len(self.domains[var])
"""


def select_unassigned_variable(self, assignment):
    left = [v for v in self.crossword.variables if v not in assignment]
    return min(left, key=lambda v: len(self.domains[v]) - len(self.crossword.neighbors(v)))
