"""From copies, barriers and matrix instructions of `cute`, `cute_nvgpu` and `cutlass` over `nvgpu` and `gpu` to `nvvm`."""
