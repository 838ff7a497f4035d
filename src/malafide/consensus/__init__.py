"""Opinions in, verdict out. Pure functions: the same opinions always give the same verdict."""
