"""The words are counted and not the variables.

Caught by complete_full: Only presence counts here
"""


def assignment_complete(self, assignment):
    return len(set(assignment.values())) == len(self.crossword.variables)
