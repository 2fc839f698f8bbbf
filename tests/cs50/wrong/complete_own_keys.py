"""The loop runs over the assignment, which never lacks its own keys.

Caught by complete_partial: Ask for every variable of self.crossword.variables
"""


def assignment_complete(self, assignment):
    for var in assignment:
        if not assignment[var]:
            return False
    return len(assignment) > 0
