"""The neighbor that loses most counts, not the sum over all.

Caught by order_values: Sort by the sum
"""


def order_domain_values(self, var, assignment):
    def worst(word):
        losses = [0]
        for other in self.crossword.neighbors(var):
            if other not in assignment:
                i, j = self.crossword.overlaps[var, other]
                losses.append(sum(word[i] != theirs[j] for theirs in self.domains[other]))
        return max(losses)

    return sorted(self.domains[var], key=worst)
