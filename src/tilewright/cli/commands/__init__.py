"""The commands of `tilewright`, each in its own module."""
