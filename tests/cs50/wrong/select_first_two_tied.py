"""Only the first two of the variables sorted by words are compared by neighbors.

Caught by select_degree: Among equally small domains
"""


def select_unassigned_variable(self, assignment):
    free = [var for var in self.crossword.variables if var not in assignment]
    free.sort(key=lambda var: len(self.domains[var]))
    if len(free) > 1 and len(self.domains[free[0]]) == len(self.domains[free[1]]):
        free[:2] = sorted(free[:2], key=lambda var: -len(self.crossword.neighbors(var)))
    return free[0]
