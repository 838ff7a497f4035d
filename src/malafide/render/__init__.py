"""Verdict in, words out: the terminal report, the HTML report and the one-line answer.

Nothing here judges. A renderer chooses how much of the verdict to show; all of it is there.
"""
