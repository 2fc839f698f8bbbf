"""A full assignment that breaks a rule is said to be incomplete.

Caught by complete_full: Only presence counts here
"""


def assignment_complete(self, assignment):
    return len(assignment) == len(self.crossword.variables) and self.consistent(assignment)
