"""The table of processors by name, and the processor of this machine."""

from __future__ import annotations

import ctypes
import difflib
import os
import sys
from functools import cache

from tilewright.ir.diagnostic import failure
from tilewright.runtime.llvm import llvm
from tilewright.targets import codes
from tilewright.targets.cpu.machine.target import CpuTarget

HOST = "host"
"""The name of this machine's processor, or of the processor that `VARIABLE` names."""
VARIABLE = "TILEWRIGHT_CPU"
"""The environment variable with the default processor."""

_LINUX_X86 = "x86_64-unknown-linux-gnu"
_LINUX_ARM = "aarch64-unknown-linux-gnu"
_V2 = "+sse3,+ssse3,+sse4.1,+sse4.2,+popcnt"
_V3 = f"{_V2},+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt"
_V4 = f"{_V3},+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl"
_ICE_LAKE = f"{_V4},+avx512bitalg,+avx512vbmi,+avx512vbmi2,+avx512vnni"
_BF16 = f"{_ICE_LAKE},+avx512bf16"
_AMX = "+amx-bf16,+amx-int8,+amx-tile"

PROCESSORS: dict[str, CpuTarget] = {
    "x86-64": CpuTarget(_LINUX_X86, "x86-64", "+sse2", 16),
    "x86-64-v2": CpuTarget(_LINUX_X86, "x86-64-v2", _V2, 16),
    "x86-64-v3": CpuTarget(_LINUX_X86, "x86-64-v3", _V3, 32),
    "x86-64-v4": CpuTarget(_LINUX_X86, "x86-64-v4", _V4, 64),
    "x86-64-v4-bf16": CpuTarget(_LINUX_X86, "x86-64-v4", _BF16, 64),
    "x86-64-v4-amx": CpuTarget(_LINUX_X86, "x86-64-v4", f"{_BF16},{_AMX}", 64),
    "icelake-server": CpuTarget(_LINUX_X86, "icelake-server", _ICE_LAKE, 64),
    "sapphirerapids": CpuTarget(_LINUX_X86, "sapphirerapids", f"{_BF16},+avx512fp16", 64),
    "graniterapids": CpuTarget(_LINUX_X86, "graniterapids", f"{_BF16},+avx512fp16,{_AMX},+amx-fp16", 64),
    "znver4": CpuTarget(_LINUX_X86, "znver4", _BF16, 64),
    "aarch64": CpuTarget(_LINUX_ARM, "generic", "+neon", 16),
    "neoverse-v1": CpuTarget(_LINUX_ARM, "neoverse-v1", "+neon,+bf16,+dotprod,+fullfp16,+i8mm", 16),
    "apple-m1": CpuTarget("arm64-apple-macosx", "apple-m1", "+neon,+dotprod,+fullfp16", 16),
}
"""The processors that code can be made for on any machine. ``features`` lists the features that the back end
tests.
"""

_WIDTHS = (("avx512f", 64), ("avx", 32))
"""The widths of vector registers in bytes by feature, widest first; 16 bytes without any of these features.
"""


def vector_bytes(target: CpuTarget) -> int:
    """Return the width of the target's vector registers in bytes, which its features determine: 64, 32 or 16."""
    return next((width for feature, width in _WIDTHS if target.has(feature)), 16)


@cache
def host() -> CpuTarget:
    """Return the processor of this machine, as LLVM reports it; without its matrix tiles if the system
    refuses them to this process.
    """
    found = _reported()
    if not found.has("amx-tile") or not tiles_refused():
        return found
    return found.replace(features=found.features.replace("+amx", "-amx"))


_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18
"""Linux on x86-64: the number of a system call, of its request for the state of a processor's unit, and of
the state of matrix tiles.
"""


@cache
def tiles_refused() -> str:
    """Ask the system, once in each process, for the use of matrix tiles by all threads of the process. Return
    the reason if it refuses them, and an empty text if it permits them.
    """
    if sys.platform != "linux":
        return "they are used on Linux alone"
    error = _system_call(_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA)
    return f"the system refuses them: {os.strerror(error)}" if error else ""


def _system_call(*numbers: int) -> int:
    """Call the system, and return the number of its error, or 0."""
    library = ctypes.CDLL(None, use_errno=True)
    return ctypes.get_errno() if library.syscall(*numbers) else 0


def matrix_tiles(target: CpuTarget) -> str:
    """Return a phrase with the kinds of matrix tiles that code for `target` may use, or with the reason why
    the system refuses them. The text is empty if the processor has no matrix tiles.
    """
    kinds = [kind for kind in ("bf16", "fp16", "int8") if target.has(f"amx-{kind}")]
    if kinds:
        return f"of {', '.join(kinds)}"
    return f"not used, {tiles_refused()}" if _reported().has("amx-tile") and tiles_refused() else ""


@cache
def _reported() -> CpuTarget:
    binding = llvm()
    features = binding.get_host_cpu_features()
    spelled = ",".join(f"{'+' if features[name] else '-'}{name}" for name in sorted(features))
    found = CpuTarget(binding.get_process_triple(), binding.get_host_cpu_name(), spelled)
    return found.replace(vector_bytes=vector_bytes(found))


def processor(name: str = HOST) -> CpuTarget:
    """Return the processor called `name`. `host` is the processor that the environment variable `VARIABLE`
    names, or else the processor of this machine.

    Raises:
        DiagnosticError: `name`, or the name in the variable, is unknown.
    """
    if name != HOST:
        return _named(name, f"'{name}'")
    chosen = os.environ.get(VARIABLE, "")
    return _named(chosen, f"{VARIABLE}='{chosen}'") if chosen not in ("", HOST) else host()


def _named(name: str, given: str) -> CpuTarget:
    """Return the processor called `name`. Raises `DiagnosticError` if it is unknown; ``given`` is the user's
    spelling for the message.
    """
    found = PROCESSORS.get(name)
    if found is not None:
        return found
    close = difflib.get_close_matches(name, (HOST, *PROCESSORS), n=1)
    known = f"known processors: {HOST}, {', '.join(PROCESSORS)}"
    hint = f"did you mean '{close[0]}'?" if close else known
    raise failure(codes.UNKNOWN_PROCESSOR, f"unknown processor {given}", hint=hint)


def obstacle(target: CpuTarget) -> str:
    """Return why code for `target` cannot run on this processor; empty if it can."""
    here = host()
    if target == here:
        return ""
    if target.triple.split("-")[0] != here.triple.split("-")[0]:
        return f"this machine is {here}"
    if target.cpu not in (here.cpu, *_COMMON):
        return f"this processor is '{here.cpu}'"
    missing = [word[1:] for word in target.features.split(",") if word[:1] == "+" and not here.has(word[1:])]
    if not missing:
        return ""
    reason = f" ({tiles_refused()})" if _reported().has("amx-tile") and "amx-tile" in missing else ""
    return f"this processor lacks {', '.join(missing)}{reason}"


_COMMON = ("generic", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4")
"""Processor names that stand for a set of features."""
