"""Reading clues: words, cues, inflection, references to other clues."""
