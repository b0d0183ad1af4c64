"""Conditions on a module that are checked before LLVM sees it, because LLVM would abort the process."""

from __future__ import annotations

from tilewright.dialects.llvm.ops.control import CallIntrinsicOp
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.option_spelling import option
from tilewright.targets import codes
from tilewright.targets.cpu.machine.target import CpuTarget

REQUIRED: dict[str, str] = {
    "llvm.x86.tdpbf16ps": "amx-bf16",
    "llvm.x86.tdpfp16ps": "amx-fp16",
    "llvm.x86.tdpb": "amx-int8",
    "llvm.x86.tile": "amx-tile",
    "llvm.x86.ldtilecfg": "amx-tile",
    "llvm.x86.avx512bf16.": "avx512bf16",
    "llvm.x86.avx512.vpdp": "avx512vnni",
    "llvm.x86.avx512fp16.": "avx512fp16",
    "llvm.x86.avx512.": "avx512f",
    "llvm.x86.avx2.": "avx2",
    "llvm.x86.avx.": "avx",
    "llvm.x86.fma.": "fma",
    "llvm.x86.sse2.": "sse2",
    "llvm.x86.sse41.": "sse4.1",
    "llvm.x86.sse.": "sse2",
    "llvm.aarch64.neon.bfdot": "bf16",
    "llvm.aarch64.neon.bfmmla": "bf16",
    "llvm.aarch64.neon.sdot": "dotprod",
    "llvm.aarch64.neon.udot": "dotprod",
    "llvm.aarch64.neon.smmla": "i8mm",
    "llvm.aarch64.neon.": "neon",
}
"""The feature that intrinsics of a processor family need, by prefix of their names; the first matching prefix
decides.
"""

FAMILIES = ("llvm.x86.", "llvm.aarch64.", "llvm.arm.", "llvm.nvvm.", "llvm.amdgcn.")
"""Prefixes of the names of intrinsics that only some processors have."""


def check_intrinsics(module: Operation, target: CpuTarget) -> None:
    """Check that every intrinsic of `module` exists on the processor `target`.

    Raises:
        DiagnosticError: a valid module of the dialect ``llvm`` calls an intrinsic that `target` lacks.
    """
    for op in module.walk():
        if isinstance(op, CallIntrinsicOp):
            _check_intrinsic(op, target)


def _check_intrinsic(op: CallIntrinsicOp, target: CpuTarget) -> None:
    if not op.intrin.startswith(FAMILIES):
        return
    needed = next((feature for start, feature in REQUIRED.items() if op.intrin.startswith(start)), None)
    if needed is not None and target.has(needed):
        return
    reason = f"which needs '{needed}'" if needed else "whose required feature is unknown"
    raise failure(
        codes.NOT_FOR_PROCESSOR,
        f"the code calls '{op.intrin}', {reason}, for {target}",
        op.location,
        hint=f"the interpreter runs every kernel: {option('target', 'interp')}",
    )
