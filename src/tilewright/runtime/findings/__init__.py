"""What launches find: how it is told, and the record of it."""
