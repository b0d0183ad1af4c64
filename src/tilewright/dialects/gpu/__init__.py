"""The ``gpu`` dialect: kernels and their launches."""
