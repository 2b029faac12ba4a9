"""From tables, frames and lists to codes: what callers hand over, and what it was meant to be."""
