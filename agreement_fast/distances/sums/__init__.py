"""The sums over patterns from which D_o and D_e are computed."""
