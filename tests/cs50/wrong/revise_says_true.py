"""It always returns True.

Caught by revise_returns: Note whether a word went
"""


def revise(self, x, y):
    overlap = self.crossword.overlaps[x, y]
    if overlap is None:
        return False
    i, j = overlap
    letters = {word[j] for word in self.domains[y]}
    self.domains[x] = {word for word in self.domains[x] if word[i] in letters}
    return True
