"""The words are counted and not the variables.

Caught by complete_any_words: Only presence counts here
"""


def assignment_complete(self, assignment):
    return len(set(assignment.values())) == len(self.crossword.variables)
