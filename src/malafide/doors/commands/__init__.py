"""The commands of the command line, by what they are for. Each imports the engine only when it runs."""
