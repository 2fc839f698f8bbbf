"""Words are removed from the list that the loop runs over, so that the next one is skipped.

Caught by node_consistency: len() is var.length
"""


def enforce_node_consistency(self):
    for var in self.domains:
        words = list(self.domains[var])
        for word in words:
            if len(word) != var.length:
                words.remove(word)
        self.domains[var] = set(words)
