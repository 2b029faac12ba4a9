"""Sums over patterns: what D_o and D_e are computed from, and the ways to them."""
