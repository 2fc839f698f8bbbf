"""A neighbor counts once, however many of its words are ruled out.

Caught by order_values: for every neighbor that has no word yet, the words of its domain
"""


def order_domain_values(self, var, assignment):
    counts = dict.fromkeys(self.domains[var], 0)
    for other in self.crossword.neighbors(var):
        if other in assignment:
            continue
        i, j = self.crossword.overlaps[var, other]
        for word in counts:
            if any(word[i] != theirs[j] for theirs in self.domains[other]):
                counts[word] += 1
    return sorted(counts, key=counts.get)
