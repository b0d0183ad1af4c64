"""The ``nvvm`` dialect: instructions of NVIDIA GPUs."""
