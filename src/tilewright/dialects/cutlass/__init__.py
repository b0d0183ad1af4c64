"""The ``cutlass`` dialect: pipelines, sequence barriers and tile schedulers of GEMM-like kernels."""
