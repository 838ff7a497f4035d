"""What happened, kept: the classification log."""
