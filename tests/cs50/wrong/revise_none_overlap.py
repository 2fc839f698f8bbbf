"""Variables that do not cross are not thought of.

Caught by revise_no_overlap: overlaps[x, y] is None
"""


def revise(self, x, y):
    i, j = self.crossword.overlaps[x, y]
    letters = {word[j] for word in self.domains[y]}
    kept = {word for word in self.domains[x] if word[i] in letters}
    revised = kept != self.domains[x]
    self.domains[x] = kept
    return revised
