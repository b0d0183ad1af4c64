"""The corpus of real modules: every public op, as the PyPI package ``cuda-tile`` writes it (test-only peer).

Each case is one verifier-clean module with one entry ``k`` (``entry``, ``global`` and ``module`` cases vary that
frame itself). The plainest case of an op exists in every file version that has the op; every other case in the
oldest version that can hold it and in the newest, which are the two a codec treats most differently.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tests.support.real import real_ops_arith, real_ops_control, real_ops_memory, real_ops_tile
from tests.support.real.real_kernel import VERSIONS, Kernel, Version, vendor, vendor_version, write_module
from tests.support.real.real_sample import Sample


@dataclass(frozen=True)
class OpCase:
    """One module: ``name`` is unique (``addf/f32-zero-ftz@13.5``); ``op`` the mnemonic without dialect."""

    name: str
    op: str
    version: Version
    bytecode: bytes
    note: str = ""


REFUSED: dict[str, str] = {
    "get_tensor_shape/rank0": "tileirdisasm 13.5 dies of a segmentation fault on an op that declares no results",
}
"""Case names (without version) that tileirdisasm 13.5 refuses although the rules allow them -> what happens."""


def _versions(sample: Sample, plainest: bool, every_version: bool) -> list[Version]:
    held = [v for v in VERSIONS if v >= sample.since]
    return held if plainest or every_version else sorted({held[0], held[-1]})


def _case(sample: Sample, version: Version) -> OpCase:
    data = write_module(
        sample.build,
        version,
        sample.arguments,
        sample.global_values,
        sample.hints,
        sample.debug,
        sample.terminate,
    )
    return OpCase(
        f"{sample.op}/{sample.name}@{version[0]}.{version[1]}", sample.op, version, data, sample.note
    )


@cache
def all_samples() -> tuple[Sample, ...]:
    """Every sample of every family, in a fixed order."""
    vendor()
    modules = (real_ops_arith, real_ops_tile, real_ops_memory, real_ops_control)
    return tuple(sample for module in modules for sample in module.samples())


@cache
def op_cases(every_version: bool = False) -> tuple[OpCase, ...]:
    """The corpus; with ``every_version`` each case in each version that can hold it (about twice as many).

    Skips the running test when the package ``cuda-tile`` is missing.
    """
    seen: set[str] = set()
    cases: list[OpCase] = []
    for sample in all_samples():
        plainest = sample.op not in seen
        seen.add(sample.op)
        cases += [_case(sample, version) for version in _versions(sample, plainest, every_version)]
    return tuple(cases)


PREVIEW_ARGUMENTS = ("--preview=simt",)
"""The option without which the tools refuse the preview cases."""


def preview_cases() -> tuple[OpCase, ...]:
    """The preview call as far as the package can write it: callees outside the module, no constant arguments."""
    cases: list[OpCase] = []
    for operands, results in (((), ()), (("f32",), ("f32",)), (("4xi32", "f32"), ("f32", "4xi32"))):

        def build(kernel: Kernel, inputs: Sequence[str] = operands, outputs: Sequence[str] = results) -> None:
            kernel.op("preview_call", operands=inputs, result_types=outputs, callee="h", const_args=[])

        data = bytearray(write_module(build))
        vendor("writer").patch_header_preview_flag(data, vendor_version((13, 5)))
        name = f"preview_call/{len(operands)}@13.5"
        cases.append(OpCase(name, "preview_call", (13, 5), bytes(data), " ".join(PREVIEW_ARGUMENTS)))
    return tuple(cases)


def version_cases() -> tuple[OpCase, ...]:
    """An empty module (no functions at all) per file version, as the cuTile launcher probes a compiler with."""
    cases: list[OpCase] = []
    for version in VERSIONS:
        buffer = bytearray()
        with vendor("writer").write_bytecode(0, buffer, vendor_version(version)):
            pass
        name = f"module/no-functions@{version[0]}.{version[1]}"
        cases.append(OpCase(name, "module", version, bytes(buffer)))
    return tuple(cases)
