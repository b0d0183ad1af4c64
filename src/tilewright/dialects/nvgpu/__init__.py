"""The ``nvgpu`` dialect: instructions of NVIDIA GPUs on vectors."""
