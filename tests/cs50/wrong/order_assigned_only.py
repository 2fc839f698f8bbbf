"""Only neighbors that have a word already are counted.

Caught by order_values: for every neighbor that has no word yet
"""


def order_domain_values(self, var, assignment):
    counts = dict.fromkeys(self.domains[var], 0)
    for other in self.crossword.neighbors(var):
        if other not in assignment:
            continue
        i, j = self.crossword.overlaps[var, other]
        for word in counts:
            counts[word] += sum(word[i] != theirs[j] for theirs in self.domains[other])
    return sorted(counts, key=counts.get)
