"""Rules of PTX beyond syntax and names; each is an iterator of messages."""
