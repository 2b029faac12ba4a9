"""Compiled loops: they get arrays, trust them, and return arrays."""
