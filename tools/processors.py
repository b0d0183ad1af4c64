"""Runs tests as on other processors: with the features of one class alone, whatever this machine has.

    make test-processors                                   # the tests of kernels, on each class that this machine has
    python -m tools.processors x86-64-v3 -- bash .ci/run   # any command, as on one class

A class cuts what our code may use (`TILEWRIGHT_CPU`), what NumPy and OpenBLAS use, and what the C library chooses.  A
class with features that this processor lacks is named and left out.  64-bit Arm needs another processor or an emulated
one: `tools/try_arm64.py`.  The exit status is 1 if a command failed, else 0.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = (
    "tests/doubles",
    "tests/interp",
    "tests/targets/cpu",
    "tests/targets/elements",
    "tests/driver/test_launch.py",
)
"""What is about kernels and their results on the processor of this machine."""
_BEYOND_V4 = "AVX512_ICL AVX512_SPR"
_V4 = f"X86_V4 {_BEYOND_V4}"
_V3 = f"X86_V3 {_V4}"
_LIBRARY_V4 = "-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD"
_LIBRARY_V3 = f"-AVX2,-AVX2_Usable,-FMA,-FMA4,{_LIBRARY_V4}"
FLAGS = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class ProcessorClass:
    """A class of processors: the name of our target, what it needs, and what others do without.

    ``needs`` are flags of Linux, ``numpy`` names of features in NumPy 2.4 (which warns of names that it does not know, and
    tests make errors of warnings), ``library`` the C library's; ``blas`` is the processor that OpenBLAS takes this one for.
    """

    cpu: str
    needs: tuple[str, ...] = ()
    numpy: str = ""
    library: str = ""
    blas: str = ""

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables of a process on such a processor."""
        found = {
            "TILEWRIGHT_CPU": self.cpu,
            "NPY_DISABLE_CPU_FEATURES": self.numpy,
            "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={self.library}" if self.library else "",
            "OPENBLAS_CORETYPE": self.blas,
        }
        return {name: value for name, value in found.items() if value}

    def missing(self, flags: frozenset[str]) -> list[str]:
        """The features that a processor with these flags lacks."""
        return [name for name in self.needs if name not in flags]


CLASSES = {
    each.cpu: each
    for each in (
        ProcessorClass("x86-64-v2", ("sse4_2",), _V3, _LIBRARY_V3, "Nehalem"),
        ProcessorClass("x86-64-v3", ("avx2", "fma"), _V4, _LIBRARY_V4, "Haswell"),
        ProcessorClass("x86-64-v4", ("avx512bw", "avx512vl"), _BEYOND_V4, "", "SkylakeX"),
        ProcessorClass("x86-64-v4-bf16", ("avx512_bf16", "avx512_vnni", "avx512vbmi")),
        ProcessorClass("x86-64-v4-amx", ("amx_tile", "amx_bf16", "amx_int8")),
    )
}
"""By the name of the target: SSE4.2, AVX2, AVX-512 without and with BF16, and matrix tiles."""


def flags() -> frozenset[str]:
    """Return the flags of this machine's processor, as Linux names them; none elsewhere."""
    text = FLAGS.read_text(encoding="utf-8") if FLAGS.exists() else ""
    line = next((line for line in text.splitlines() if line.startswith("flags")), "")
    return frozenset(line.partition(":")[2].split())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command on each class that was named, or on all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "classes", nargs="*", metavar="CLASS", help=f"one of {', '.join(CLASSES)}; default: all"
    )
    given = list(sys.argv[1:] if arguments is None else arguments)
    words, command = _divided(given)
    names = parser.parse_args(words).classes or [*CLASSES]
    unknown = [name for name in names if name not in CLASSES]
    if unknown:
        parser.error(f"no class {', '.join(unknown)}: there are {', '.join(CLASSES)}")
    here, failed = flags(), list[str]()
    for name in names:
        missing = CLASSES[name].missing(here)
        if missing:
            print(f"{name}: left out, this processor lacks {', '.join(missing)}", file=sys.stderr)
        elif subprocess.run(command, cwd=ROOT, env={**os.environ, **CLASSES[name].environment}).returncode:
            failed.append(name)
    print("aarch64: run `sudo python tools/try_arm64.py`", file=sys.stderr)
    print(f"failed: {', '.join(failed)}" if failed else "no class failed", file=sys.stderr)
    return 1 if failed else 0


def _divided(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before ``--``, and the command behind it, by default the tests of kernels."""
    if "--" in words:
        at = words.index("--")
        return [*words[:at]], [*words[at + 1 :]]
    return [*words], [sys.executable, "-m", "pytest", "--numprocesses=auto", "--maxprocesses=8", *TESTS]


if __name__ == "__main__":
    sys.exit(main())
