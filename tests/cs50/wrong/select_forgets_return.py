"""The variable is found and not returned.

Caught by select_mrv: The method ended without returning a variable
"""


def select_unassigned_variable(self, assignment):
    free = [var for var in self.crossword.variables if var not in assignment]
    free.sort(key=lambda var: (len(self.domains[var]), -len(self.crossword.neighbors(var))))
