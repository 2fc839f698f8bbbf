"""Neighbors that have a word already do not count as neighbors.

Caught by select_degree_assigned: whether they have a word already or not
"""


def select_unassigned_variable(self, assignment):
    free = [var for var in self.crossword.variables if var not in assignment]
    return min(
        free,
        key=lambda var: (
            len(self.domains[var]),
            -sum(other not in assignment for other in self.crossword.neighbors(var)),
        ),
    )
