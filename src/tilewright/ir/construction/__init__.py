"""How operations come into being: from arguments, by name, as copies."""
