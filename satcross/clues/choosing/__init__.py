"""One word for every slot, chosen from the candidates of its clue."""
