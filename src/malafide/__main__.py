"""`python -m malafide`: the command line."""

from malafide.doors.cli import main

main()
