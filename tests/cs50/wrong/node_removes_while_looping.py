"""A set is changed while a loop runs over it.

Caught by node_consistency: must not change while a loop runs over it
"""


def enforce_node_consistency(self):
    for var in self.domains:
        for word in self.domains[var]:
            if len(word) != var.length:
                self.domains[var].remove(word)
