"""What a table holds: which layout it has, and which column is what. Nothing else guesses."""
