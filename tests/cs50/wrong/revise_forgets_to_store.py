"""The narrowed set is counted and not put into self.domains.

Caught by revise_removes: i, j = overlaps[x, y]
"""


def revise(self, x, y):
    overlap = self.crossword.overlaps[x, y]
    if overlap is None:
        return False
    i, j = overlap
    kept = {w for w in self.domains[x] if any(w[i] == v[j] for v in self.domains[y])}
    return len(kept) < len(self.domains[x])
