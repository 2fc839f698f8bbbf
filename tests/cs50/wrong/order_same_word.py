"""A neighbor's word counts as ruled out if it is the same word, not if the letters differ.

Caught by order_values: that do not agree on the common letter
"""


def order_domain_values(self, var, assignment):
    counts = {}
    for word in self.domains[var]:
        counts[word] = 0
        for other in self.crossword.neighbors(var):
            if other not in assignment and word in self.domains[other]:
                counts[word] += 1
    return sorted(counts, key=counts.get)
