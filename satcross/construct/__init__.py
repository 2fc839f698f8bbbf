"""What a puzzle maker needs around a fill: block patterns, layouts, usual limits, word lists."""
