"""NVIDIA's compiler of Tile IR, where it is installed: a program that is run, and nothing else."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from benchmarks.cpu_compile import tileiras

VARIABLE = "TILEWRIGHT_PEER"
"""The environment variable that names the program, if it is in no package and not on the PATH."""
LIMIT = 300.0
"""Seconds that a kernel may take."""
_OURS = "tilewright"
_TOOLKITS = ("CUDA_HOME", "CUDA_PATH")


def find(given: str | None = None) -> str | None:
    """The program: the one given, that of the environment, or the one that is installed; never ours of the same name."""
    found = given or os.environ.get(VARIABLE) or tileiras()
    if found is None:
        return None
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    return None if _OURS in said else found


def environment() -> dict[str, str]:
    """The environment without the toolkits that it names: those are for our tools, and the program brings its own."""
    return {name: value for name, value in os.environ.items() if name not in _TOOLKITS}


def cubin(program: str, bytecode: bytes, chip: str) -> bytes:
    """A kernel as machine code.  ValueError with the reason that the program gives if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "kernel.tileirbc", Path(folder) / "kernel.cubin"
        source.write_bytes(bytecode)
        command = [program, str(source), "--gpu-name", chip, "-O3", "-o", str(target)]
        ended = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=LIMIT, env=environment()
        )
        if ended.returncode:
            said = ended.stderr.strip().splitlines() or ["no reason"]
            raise ValueError(said[0].rpartition("error: ")[2])
        return target.read_bytes()
