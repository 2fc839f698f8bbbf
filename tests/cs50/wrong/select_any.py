"""The first variable without a word is taken.

Caught by select_mrv: the smallest len(self.domains[var])
"""


def select_unassigned_variable(self, assignment):
    for var in self.crossword.variables:
        if var not in assignment:
            return var
