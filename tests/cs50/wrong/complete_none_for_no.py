"""There is no return False.

Caught by complete_empty: expected False, got None
"""


def assignment_complete(self, assignment):
    if all(var in assignment for var in self.crossword.variables):
        return True
