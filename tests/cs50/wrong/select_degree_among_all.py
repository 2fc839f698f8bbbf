"""If there is a tie, the variable with most neighbors is sought among all, tied or not.

Caught by select_degree: and only among them
"""


def select_unassigned_variable(self, assignment):
    free = [var for var in self.crossword.variables if var not in assignment]
    fewest = min(len(self.domains[var]) for var in free)
    tied = [var for var in free if len(self.domains[var]) == fewest]
    if len(tied) == 1:
        return tied[0]
    return max(free, key=lambda var: len(self.crossword.neighbors(var)))
