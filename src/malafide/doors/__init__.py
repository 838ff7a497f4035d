"""Where people and programs come in. Doors hold no logic: they read input, call the engine and print."""
