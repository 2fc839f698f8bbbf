"""A set is returned, which has no order.

Caught by order_values: The result is a list
"""


def order_domain_values(self, var, assignment):
    counts = dict.fromkeys(self.domains[var], 0)
    for other in self.crossword.neighbors(var):
        if other not in assignment:
            i, j = self.crossword.overlaps[var, other]
            for word in counts:
                counts[word] += sum(word[i] != theirs[j] for theirs in self.domains[other])
    return set(sorted(counts, key=counts.get))
