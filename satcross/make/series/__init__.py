"""Series: many puzzles by a plan, with a ledger that keeps entries from coming back too soon."""
