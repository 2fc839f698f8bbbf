"""The words must be in the list of words.

Caught by complete_any_words: Only presence counts here
"""


def assignment_complete(self, assignment):
    for var in self.crossword.variables:
        if assignment.get(var) not in self.crossword.words:
            return False
    return True
