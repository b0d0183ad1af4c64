"""Public examples of Python programs that bring their own kernels, run on the stand-in for the driver.

    python -m conformance.kernels_in_python FOLDER ...

Each folder is a checkout of NVIDIA/cuda-python or cupy/cupy, unedited; an example that no folder has is left out. The
environment needs `tilewright[cpp]`, `cuda-core`, and for `cuda_bindings` the helpers of the examples, which come with a
`cuda-bindings` of the checkout's version. An example is right if it ends with the status 0, without findings.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tilewright.cpp.toolchain import find

_CORE, _BINDINGS, _CUPY = "cuda_core/examples", "cuda_bindings/examples", "examples"
EXAMPLES: dict[str, tuple[str, ...]] = {
    f"{_CORE}/vector_add.py": (),
    f"{_CORE}/saxpy.py": (),
    f"{_CORE}/memory_ops.py": (),
    f"{_CORE}/cuda_graphs.py": (),
    f"{_CORE}/graph_update.py": (),
    f"{_CORE}/thread_block_cluster.py": (),
    f"{_CORE}/strided_memory_view_gpu.py": (),
    f"{_CORE}/buffer_deallocation_stream.py": (),
    f"{_CORE}/batched_memcpy.py": (),
    f"{_CORE}/memory_pool_resources.py": (),
    f"{_CORE}/host_launch.py": (),
    f"{_CORE}/pytorch_example.py": (),
    f"{_BINDINGS}/0_Introduction/clock_nvrtc.py": (),
    f"{_BINDINGS}/0_Introduction/simple_zero_copy.py": (),
    f"{_BINDINGS}/0_Introduction/system_wide_atomics.py": (),
    f"{_BINDINGS}/0_Introduction/vector_add_drv.py": (),
    f"{_BINDINGS}/0_Introduction/vector_add_mmap.py": (),
    f"{_BINDINGS}/2_Concepts_and_Techniques/stream_ordered_allocation.py": (),
    f"{_BINDINGS}/extra/jit_program.py": (),
    f"{_CUPY}/custom_struct/builtin_vectors.py": (),
    f"{_CUPY}/custom_struct/complex_struct.py": (),
    f"{_CUPY}/custom_struct/packed_matrix.py": (),
    f"{_CUPY}/gemm/sgemm.py": ("--m", "128", "--n", "64", "--k", "24"),
}
"""The examples by their path in a checkout, with their arguments."""
LIMIT = 900
"""Seconds for an example."""


def found(folders: Sequence[Path]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield the examples that the folders have, with their arguments."""
    for name, arguments in EXAMPLES.items():
        for folder in folders:
            if (folder / name).is_file():
                yield folder / name, arguments


def reason(example: Path, arguments: Sequence[str]) -> str:
    """Run an example; return why it is wrong, or an empty text."""
    command = [sys.executable, "-m", "tilewright", "run", "--check", "memcheck,racecheck"]
    environment = {**os.environ, "CUDA_PATH": str(Path(find().include[0]).parent)}
    try:
        done = subprocess.run(
            [*command, str(example), *arguments],
            capture_output=True,
            text=True,
            env=environment,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not done in {LIMIT} s"
    return (done.stderr.strip() or "failed")[-600:] if done.returncode else ""


def main(folders: Sequence[str]) -> int:
    """Run all examples in the folders, and return the exit status: 1 if one is wrong."""
    wrong = 0
    for example, arguments in found([Path(folder) for folder in folders]):
        begin = time.perf_counter()
        why = reason(example, arguments)
        wrong += bool(why)
        print(f"{example}: {why or 'right'} ({time.perf_counter() - begin:.0f} s)", flush=True)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
