"""Variables that have a word already are taken.

Caught by select_mrv: Leave out the variables that are in the assignment
"""


def select_unassigned_variable(self, assignment):
    return min(
        self.crossword.variables,
        key=lambda var: (len(self.domains[var]), -len(self.crossword.neighbors(var))),
    )
