"""Words that are too short stay in the domain.

Caught by node_consistency: len() is var.length
"""


def enforce_node_consistency(self):
    for var in self.domains:
        self.domains[var] = {word for word in self.domains[var] if len(word) <= var.length}
