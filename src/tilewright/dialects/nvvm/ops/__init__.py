"""The operations of ``nvvm``."""
