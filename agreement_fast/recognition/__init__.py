"""What a table holds: the only room that guesses."""
