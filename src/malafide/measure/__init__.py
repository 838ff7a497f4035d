"""Verdicts on labelled mail in, figures out: metrics, calibration, reports and a watch over time."""
