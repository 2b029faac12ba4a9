"""What several tools write in the same way: tiers, layers of annotated documents, labels, times."""
