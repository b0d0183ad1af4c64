"""The ``builtin`` dialect: modules and casts between type systems."""
