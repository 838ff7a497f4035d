"""The tables of the store, one numbered step after another. A step that was published is never changed."""
