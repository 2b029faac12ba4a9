"""Units of different coders aligned with each other: γ, γ_cat, γ_k and the best alignment."""
