"""Words that are too long stay in the domain.

Caught by node_consistency: len() is var.length
"""


def enforce_node_consistency(self):
    for var in self.domains:
        for word in self.domains[var].copy():
            if len(word) < var.length:
                self.domains[var].remove(word)
