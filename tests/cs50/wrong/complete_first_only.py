"""The return stands in the loop.

Caught by complete_partial: Ask for every variable of self.crossword.variables
"""


def assignment_complete(self, assignment):
    for var in self.crossword.variables:
        if var in assignment:
            return True
        return False
