"""The degree counts all pairs in overlaps, those that are None too, so that all are equal.

Caught by select_degree: most self.crossword.neighbors(var)
"""


def select_unassigned_variable(self, assignment):
    free = [var for var in self.crossword.variables if var not in assignment]
    return min(
        free,
        key=lambda var: (
            len(self.domains[var]),
            -sum(var == x for x, _ in self.crossword.overlaps),
        ),
    )
