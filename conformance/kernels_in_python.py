"""Public examples of Python programs that bring their own kernels, run on the stand-in for the driver.

    python -m conformance.kernels_in_python FOLDER ... [--only TEXT]

Each folder is a checkout of NVIDIA/cuda-python or cupy/cupy, unedited; an example that no folder has is left out. The
environment needs `tilewright[cpp]`, `cuda-core`, `cupy-cuda13x` for its headers, and for `cuda_bindings` the helpers of the
examples (`cuda/bindings/_example_helpers` of the checkout). An example is right if it ends with the status 0, without
findings. Each block of CuPy's guide that makes a `RawKernel` or a `RawModule` is an example, with the imports that the
guide's configuration makes.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

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
    f"{_BINDINGS}/3_CUDA_Features/global_to_shmem_async_copy.py": (),
    f"{_BINDINGS}/3_CUDA_Features/simple_cuda_graphs.py": (),
    f"{_BINDINGS}/4_CUDA_Libraries/conjugate_gradient_multi_block_cg.py": (),
    f"{_BINDINGS}/extra/jit_program.py": (),
    f"{_CUPY}/custom_struct/builtin_vectors.py": (),
    f"{_CUPY}/custom_struct/complex_struct.py": (),
    f"{_CUPY}/custom_struct/packed_matrix.py": (),
    f"{_CUPY}/gemm/sgemm.py": ("--m", "128", "--n", "64", "--k", "24"),
}
"""The examples by their path in a checkout, with their arguments."""
CHANGES: dict[str, tuple[tuple[str, str], ...]] = {
    f"{_BINDINGS}/3_CUDA_Features/global_to_shmem_async_copy.py": (
        ("10 * 4 * matrix_block", "2 * matrix_block"),
        (
            "selected_kernel = Kernels.AsyncCopyMultiStageLargeChunk",
            "selected_kernel = Kernels.AsyncCopyLargeChunk",
        ),
    ),
    f"{_BINDINGS}/3_CUDA_Features/simple_cuda_graphs.py": (("size = 1 << 24", "size = 1 << 14"),),
    f"{_BINDINGS}/4_CUDA_Libraries/conjugate_gradient_multi_block_cg.py": (("n = 1048576", "n = 256"),),
}
"""What is replaced in examples: sizes, as no argument sets them; and the kernel that an example runs by default, as it copies
to a buffer that another copy still writes (TW1260).
"""
LIMIT = 900
"""Seconds for an example."""


_GUIDE = "docs/source/user_guide"
DOCUMENTS = (f"{_GUIDE}/kernel.rst", f"{_GUIDE}/interoperability.rst", f"{_GUIDE}/performance.rst")
"""The chapters of CuPy's guide with examples."""
_BLOCK = re.compile(r"^( *)\.\. (?:doctest|code|code-block)::.*\n\n((?:\1 +.*\n|\s*\n)+)", re.MULTILINE)
_OF_KERNELS = re.compile(r"\b(?:RawKernel|RawModule)\(")
_IMPORTS = "import cupy\nimport cupy as cp\nimport cupyx\nimport numpy as np\n"
_DOCTEST = """
import doctest, sys
test = doctest.DocTestParser().get_doctest(TEXT, dict(globals()), "example", None, 0)
sys.exit(doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed)
"""
ADDED = {
    "CuPyLog": """
values = torch.rand(100, device="cuda").add(0.5).requires_grad_()
logarithms = CuPyLog.apply(values)
logarithms.sum().backward()
torch.testing.assert_close(logarithms, values.detach().log())
torch.testing.assert_close(values.grad, 1 / values.detach())
"""
}
"""Lines that call what a block of the guide only defines, by a name in the block."""


def found(folders: Sequence[Path], made: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield the examples that the folders have, with their arguments. Examples of the guide become programs
    in the folder ``made``.
    """
    for name, arguments in EXAMPLES.items():
        for folder in folders:
            if (folder / name).is_file():
                yield _changed(folder / name, CHANGES.get(name, ()), made), arguments
    for folder in folders:
        for name in DOCUMENTS:
            if (folder / name).is_file():
                yield from ((path, ()) for path in _programs(folder / name, made))


def _changed(example: Path, changes: Sequence[tuple[str, str]], made: Path) -> Path:
    """Return an example with `changes`, as a file in ``made`` if there are some. Raises `ValueError` if the
    example does not have a text that is replaced.
    """
    if not changes:
        return example
    text = example.read_text(encoding="utf-8")
    for old, new in changes:
        if old not in text:
            raise ValueError(f"{example} has no '{old}'")
        text = text.replace(old, new)
    path = made / example.name
    path.write_text(text, encoding="utf-8")
    return path


def _programs(document: Path, made: Path) -> Iterator[Path]:
    """Write the examples of a chapter to programs in ``made``, and yield their paths."""
    for number, block in enumerate(examples_of(document.read_text(encoding="utf-8"))):
        added = "".join(lines for name, lines in ADDED.items() if name in block)
        text = f"TEXT = {block!r}\n{_IMPORTS}{_DOCTEST}" if ">>>" in block else f"{block}{added}"
        path = made / f"{document.stem}_{number}.py"
        path.write_text(text, encoding="utf-8")
        yield path


def examples_of(text: str) -> list[str]:
    """Return the blocks of a chapter in reStructuredText that make kernels from CUDA C++."""
    blocks = (dedent(match[2]) for match in _BLOCK.finditer(text))
    return [block for block in blocks if _OF_KERNELS.search(block)]


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all examples in the folders, and return the exit status: 1 if one is wrong."""
    parser = argparse.ArgumentParser(prog="python -m conformance.kernels_in_python", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folders", type=Path, nargs="+", help="checkouts of cuda-python and cupy")
    parser.add_argument("--only", default="", help="run examples whose path has this text")
    given, wrong = parser.parse_args(arguments), 0
    with tempfile.TemporaryDirectory(prefix="tilewright-examples-") as made:
        for example, options in found(given.folders, Path(made)):
            if given.only in str(example):
                wrong += bool(_told(example, options))
    return int(bool(wrong))


def _told(example: Path, arguments: Sequence[str]) -> str:
    """Run an example, print what came of it, and return why it is wrong, or an empty text."""
    begin = time.perf_counter()
    why = reason(example, arguments)
    print(f"{example}: {why or 'right'} ({time.perf_counter() - begin:.0f} s)", flush=True)
    return why


if __name__ == "__main__":
    sys.exit(main())
