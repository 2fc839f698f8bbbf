"""It always returns False, so that ac3 stops after the first arc.

Caught by revise_returns: Note whether a word went
"""


def revise(self, x, y):
    overlap = self.crossword.overlaps[x, y]
    if overlap is not None:
        i, j = overlap
        letters = {word[j] for word in self.domains[y]}
        self.domains[x] = {word for word in self.domains[x] if word[i] in letters}
    return False
