"""Sources of candidates for clues, one module each; see ``registry``."""
