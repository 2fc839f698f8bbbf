"""The variable is returned with its number of words.

Caught by select_mrv: which is no variable
"""


def select_unassigned_variable(self, assignment):
    free = [(len(self.domains[var]), var) for var in self.domains if var not in assignment]
    return min(free, key=lambda item: (item[0], -len(self.crossword.neighbors(item[1]))))
