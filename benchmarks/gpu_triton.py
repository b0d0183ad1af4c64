"""Triton as a peer of `benchmarks.gpu_static`: its machine code of the same kernels, made without a GPU.

Triton may live in another Python than this project's other peers, so it runs in a process of its own, which serves requests:
a line of JSON each way.
"""

from __future__ import annotations

import argparse
import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

STAGES = 3
"""Steps that its pipelines hold at once."""
RAGGED = "ragged"
"""The word behind the type of an argument that is no multiple of 16."""


@dataclass(frozen=True)
class Made:
    """Machine code, and what a launch of it takes."""

    cubin: bytes
    warps: int
    shared: int


class Peer:
    """Triton in a process of its own."""

    def __init__(self, python: str) -> None:
        command = [python, "-m", "benchmarks.gpu_triton", "--serve"]
        self._process: Any = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def made(self, twin: tuple[str, Mapping[str, str], Mapping[str, Any], int], chip: str) -> Made:
        """A kernel for a chip.  ValueError with the reason if there is none."""
        self._process.stdin.write(json.dumps([*twin, int(chip.removeprefix("sm_").rstrip("a"))]) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise ValueError(f"Triton ended with status {self._process.wait()}")
        read = json.loads(answer)
        if "reason" in read:
            raise ValueError(read["reason"])
        return Made(base64.b64decode(read["cubin"]), read["warps"], read["shared"])

    def close(self) -> None:
        """Let the process end."""
        self._process.communicate()


def installed(python: str) -> bool:
    """Whether a Python has Triton."""
    if shutil.which(python) is None:
        return False
    return subprocess.run([python, "-c", "import triton"], capture_output=True, check=False).returncode == 0


def serve() -> int:
    """Answer requests until there are none."""
    kernels: Any = import_module("benchmarks.gpu_triton_kernels")
    for line in sys.stdin:
        name, types, constants, warps, capability = json.loads(line)
        try:
            answer = compiled(kernels.kernel(name), types, constants, warps, capability)
        except Exception as error:  # whatever Triton raises is the reason
            answer = {"reason": f"{type(error).__name__}: {str(error).strip().splitlines()[-1:]}"}
        print(json.dumps(answer), flush=True)
    return 0


def compiled(
    kernel: Any, types: Mapping[str, str], constants: Mapping[str, Any], warps: int, capability: int
) -> dict[str, Any]:
    """Machine code for a chip; pointers and extents are multiples of 16 unless an argument is said to be ragged."""
    triton, compiler = import_module("triton"), import_module("triton.compiler")
    target = import_module("triton.backends.compiler").GPUTarget("cuda", capability, 32)
    signature = {
        **{name: type.split()[0] for name, type in types.items()},
        **dict.fromkeys(constants, "constexpr"),
    }
    regular = [
        at for at, type in enumerate(types.values()) if RAGGED not in type and not type.startswith("fp")
    ]
    attributes = {(at,): [["tt.divisibility", 16]] for at in regular}
    source = compiler.ASTSource(kernel, signature, dict(constants), attributes)
    made = triton.compile(source, target=target, options={"num_warps": warps, "num_stages": STAGES})
    code = base64.b64encode(made.asm["cubin"]).decode()
    return {"cubin": code, "warps": made.metadata.num_warps, "shared": made.metadata.shared}


def main() -> int:
    """Serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true", required=True, help="answer requests")
    parser.parse_args()
    return serve()


if __name__ == "__main__":
    sys.exit(main())
