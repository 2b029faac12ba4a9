"""Models behind the judgments: latent classes and traits, and one label an item."""

__all__: list[str] = []
