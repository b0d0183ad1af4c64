"""The passes that serve any dialect."""
