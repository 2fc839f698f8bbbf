"""Sorted twice, in the wrong order.

Caught by select_mrv: one with the smallest len(self.domains[var])
"""


def select_unassigned_variable(self, assignment):
    left = [v for v in self.crossword.variables if v not in assignment]
    left.sort(key=lambda v: len(self.domains[v]))
    left.sort(key=lambda v: len(self.crossword.neighbors(v)), reverse=True)
    return left[0]
