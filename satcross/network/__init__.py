"""The puzzle as a constraint network: arc consistency, weights, orders, estimates."""
