"""Compiles C++ to Tile IR bytecode with `nvcc`, which needs a host compiler."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from tilewright.cpp.nvrtc import TranslationResult
from tilewright.cpp.options import CppOptions
from tilewright.cpp.toolchain import Toolchain

INSTANCES = "tilewright_instances.cu"
"""The file that includes the user's file and takes the address of each wanted instance."""


def compile_with_nvcc(path: Path, options: CppOptions, tools: Toolchain) -> TranslationResult:
    """Compile a file with the instances that the options name."""
    assert tools.nvcc is not None
    with tempfile.TemporaryDirectory(prefix="tilewright-") as folder:
        source = _with_instances(path, options, Path(folder)) if options.instantiate else path
        made = Path(folder, "unit.tilebc")
        command = [str(tools.nvcc.path), "-enable-tile", *options.flags(), f"-I{path.parent}"]
        done = subprocess.run(
            [*command, "-tilebc", str(source), "-o", str(made)], capture_output=True, text=True, check=False
        )
        log = done.stdout + done.stderr
        return TranslationResult(made.read_bytes() if done.returncode == 0 and made.exists() else None, log)


def _with_instances(path: Path, options: CppOptions, folder: Path) -> Path:
    """Write a file that instantiates templates: an address that the host takes is a use."""
    uses = (
        f"[[maybe_unused]] static const void* tilewright_instance_{number} = "
        f"reinterpret_cast<const void*>(&{name});\n"
        for number, name in enumerate(options.instantiate)
    )
    source = folder / INSTANCES
    source.write_text(f'#include "{path.resolve()}"\n{"".join(uses)}', encoding="utf-8")
    return source
