"""The domains become lists.

Caught by node_consistency: is a list, not a set
"""


def enforce_node_consistency(self):
    for var in self.domains:
        self.domains[var] = [word for word in self.domains[var] if len(word) == var.length]
