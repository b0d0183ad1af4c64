"""The ``cf`` dialect: branches between blocks."""
