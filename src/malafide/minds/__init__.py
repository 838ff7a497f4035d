"""How an agent thinks: offline by weighing evidence."""
