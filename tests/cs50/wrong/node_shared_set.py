"""All variables share the crossword's set of words, which is changed.

Caught by node_consistency: not remove from a set while looping over it
"""


def enforce_node_consistency(self):
    for var in self.domains:
        words = self.crossword.words
        for w in list(words):
            if len(w) != var.length:
                words.discard(w)
        self.domains[var] = words
