"""The ``memref`` dialect: buffers."""
