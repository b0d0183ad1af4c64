"""Processors by name, and the one this program runs on."""

from __future__ import annotations

import difflib
import os
from functools import cache

from tilewright.ir.diagnostic import failure
from tilewright.runtime.llvm import llvm
from tilewright.targets import codes
from tilewright.targets.cpu.machine.target import CpuTarget

HOST = "host"
"""What stands for the processor of this machine, or for the one that `VARIABLE` names."""
VARIABLE = "TILEWRIGHT_CPU"
"""Environment variable with the name of the processor that code is made for where nobody names another one."""

_LINUX_X86 = "x86_64-unknown-linux-gnu"
_LINUX_ARM = "aarch64-unknown-linux-gnu"
_V2 = "+sse3,+ssse3,+sse4.1,+sse4.2,+popcnt"
_V3 = f"{_V2},+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt"
_V4 = f"{_V3},+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl"
_ICE_LAKE = f"{_V4},+avx512bitalg,+avx512vbmi,+avx512vbmi2,+avx512vnni"

PROCESSORS: dict[str, CpuTarget] = {
    "x86-64": CpuTarget(_LINUX_X86, "x86-64", "+sse2", 16),
    "x86-64-v2": CpuTarget(_LINUX_X86, "x86-64-v2", _V2, 16),
    "x86-64-v3": CpuTarget(_LINUX_X86, "x86-64-v3", _V3, 32),
    "x86-64-v4": CpuTarget(_LINUX_X86, "x86-64-v4", _V4, 64),
    "icelake-server": CpuTarget(_LINUX_X86, "icelake-server", _ICE_LAKE, 64),
    "sapphirerapids": CpuTarget(_LINUX_X86, "sapphirerapids", f"{_ICE_LAKE},+avx512bf16,+avx512fp16", 64),
    "znver4": CpuTarget(_LINUX_X86, "znver4", f"{_ICE_LAKE},+avx512bf16", 64),
    "aarch64": CpuTarget(_LINUX_ARM, "generic", "+neon", 16),
    "neoverse-v1": CpuTarget(_LINUX_ARM, "neoverse-v1", "+neon,+bf16,+dotprod,+fullfp16,+i8mm", 16),
    "apple-m1": CpuTarget("arm64-apple-macosx", "apple-m1", "+neon,+dotprod,+fullfp16", 16),
}
"""Processors that code can be made for on any machine.  ``features`` names what the back end asks about."""

_WIDTHS = (("avx512f", 64), ("avx", 32))
"""Vector registers by the feature that brings them, widest first; 16 bytes without any of them."""


def vector_bytes(target: CpuTarget) -> int:
    """The width of the vector registers that a target's features bring."""
    return next((width for feature, width in _WIDTHS if target.has(feature)), 16)


@cache
def host() -> CpuTarget:
    """The processor of this machine, as LLVM sees it."""
    binding = llvm()
    features = binding.get_host_cpu_features()
    spelled = ",".join(f"{'+' if features[name] else '-'}{name}" for name in sorted(features))
    found = CpuTarget(binding.get_process_triple(), binding.get_host_cpu_name(), spelled)
    return found.replace(vector_bytes=vector_bytes(found))


def processor(name: str = HOST) -> CpuTarget:
    """Return the processor of that name.  Raises `DiagnosticError` for an unknown one."""
    if name != HOST:
        return _named(name, f"'{name}'")
    chosen = os.environ.get(VARIABLE, "")
    return _named(chosen, f"{VARIABLE}='{chosen}'") if chosen not in ("", HOST) else host()


def _named(name: str, given: str) -> CpuTarget:
    """Return the row of a processor; ``given`` is how the message shows what the user wrote."""
    found = PROCESSORS.get(name)
    if found is not None:
        return found
    close = difflib.get_close_matches(name, (HOST, *PROCESSORS), n=1)
    known = f"known processors: {HOST}, {', '.join(PROCESSORS)}"
    hint = f"did you mean '{close[0]}'?" if close else known
    raise failure(codes.UNKNOWN_PROCESSOR, f"unknown processor {given}", hint=hint)


def obstacle(target: CpuTarget) -> str:
    """Why code for a processor cannot run on this one; empty when it can."""
    here = host()
    if target == here:
        return ""
    if target.triple.split("-")[0] != here.triple.split("-")[0]:
        return f"this machine is {here}"
    if target.cpu not in (here.cpu, *_COMMON):
        return f"this processor is '{here.cpu}'"
    missing = [word[1:] for word in target.features.split(",") if word[:1] == "+" and not here.has(word[1:])]
    return f"this processor lacks {', '.join(missing)}" if missing else ""


_COMMON = ("generic", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4")
"""Processors that stand for a set of features."""
