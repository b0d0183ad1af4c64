"""The ``cute_nvgpu`` dialect: copy and matrix instructions of NVIDIA GPUs as atoms."""
