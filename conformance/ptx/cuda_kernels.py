"""`python -m conformance.ptx.cuda_kernels DIR`: compile `kernels.cu` with nvcc, for several architectures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent / "kernels.cu"
ARCHITECTURES = ("sm_80", "sm_90a", "sm_120a")
THREADS = {
    "blocksum": 128,
    "staged": 128,
    "pipelined": 128,
    "bulk": 128,
    "spin": 128,
    "transposed": 128,
    "wmma": 32,
}
TOLERANCES = {"halves": 1e-2}
"""NumPy rounds twice where the kernel does once."""
HOPPER = ("pipelined", "bulk", "clustered")
KERNELS = (
    *(
        "blocksum",
        "recursion",
        "collatz",
        "transcendental",
        "doubles",
        "halves",
        "votes",
        "switches",
        "indirect",
    ),
    *("longs", "locals", "spin", "tiled_groups", "transposed", "staged", "wmma", *HOPPER),
)


def main(folder: Path) -> None:
    """All kernels for all architectures that have them."""
    folder.mkdir(parents=True, exist_ok=True)
    for architecture in ARCHITECTURES:
        made = folder / f"nvcc_{architecture}.all"
        subprocess.run(
            ["nvcc", "-ptx", f"-arch={architecture}", "-lineinfo", "-o", str(made), str(SOURCE)], check=True
        )
        text = made.read_text(encoding="utf-8")
        made.unlink()
        for kernel in KERNELS:
            if kernel in HOPPER and architecture == "sm_80":
                continue
            name = f"nvcc_{kernel}_{architecture}"
            meta = {
                "case": kernel,
                "entry": kernel,
                "threads": THREADS.get(kernel, 64),
                "shared": 0,
                "tolerance": TOLERANCES.get(kernel, 1e-3),
            }
            (folder / f"{name}.ptx").write_text(text, encoding="utf-8")
            (folder / f"{name}.json").write_text(json.dumps(meta), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
