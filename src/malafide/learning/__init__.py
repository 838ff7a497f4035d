"""Labelled mail in, a catalog out; and labels of people, given and taken back."""
