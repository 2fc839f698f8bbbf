"""Only neighbors that have a word already count as neighbors.

Caught by select_degree: Among equally small domains
"""


def select_unassigned_variable(self, assignment):
    free = [var for var in self.crossword.variables if var not in assignment]
    return min(
        free,
        key=lambda var: (
            len(self.domains[var]),
            -sum(other in assignment for other in self.crossword.neighbors(var)),
        ),
    )
