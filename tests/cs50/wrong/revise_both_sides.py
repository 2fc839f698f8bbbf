"""Both domains are narrowed.

Caught by revise_empties: changes self.domains[x] only
"""


def revise(self, x, y):
    overlap = self.crossword.overlaps[x, y]
    if overlap is None:
        return False
    i, j = overlap
    mine = {word[i] for word in self.domains[x]}
    theirs = {word[j] for word in self.domains[y]}
    before = len(self.domains[x])
    self.domains[x] = {word for word in self.domains[x] if word[i] in theirs}
    self.domains[y] = {word for word in self.domains[y] if word[j] in mine}
    return len(self.domains[x]) != before
