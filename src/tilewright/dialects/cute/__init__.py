"""The ``cute`` dialect: layouts, coordinates and tensors over them."""
