"""The enumerations of ``nvvm``."""
