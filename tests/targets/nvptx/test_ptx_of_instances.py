"""Every operation of `nvvm` with its attributes: the PTX that it becomes, or why there is none, in a listing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from tests import golden
from tests.support.upstream import SEPARATOR, module
from tests.targets.nvptx.kernels import kernel, printed
from tilewright.ir.diagnostic import DiagnosticError

pytestmark = pytest.mark.usefixtures("ptx_as_before")

INSTANCES = Path(__file__).parents[2] / "dialects" / "nvvm" / "instances.mlir"
LISTING = Path(__file__).parent / "data" / "instances.txt"
CHIPS = ("sm_80", "sm_90a", "sm_100a", "sm_120a")
MORE = [
    f'"nvvm.barrier"(%0, %1, %2) <{{operandSegmentSizes = array<i32: 1, 1, 1>, reductionOp = #nvvm.reduction<{kind}>}}>'
    " : (i32, i32, i32) -> i32\n"
    for kind in ("and", "or", "popc")
] + [
    '"nvvm.cp.async.bulk.tensor.prefetch"(%0, %1, %2, %3, %4, %5) <{mode = #nvvm.tma_load_mode<im2col>,'
    " operandSegmentSizes = array<i32: 1, 3, 1, 1>}> : (!llvm.ptr, i32, i32, i32, i16, i64) -> ()\n",
    '"nvvm.prefetch"(%0) <{cacheLevel = #nvvm<prefetch_cache_level L1>, uniform}> : (!llvm.ptr) -> ()\n',
]
"""Instances of ways through the emitter that the file does not have."""
VALUE = re.compile(r'  (%\d+) = "test.value"\(\) : \(\) -> (.*)')
FRAME = re.compile(r"\.(version|target|address_size|visible|reg|param)\b|^[(){}]|^\$|^//|^\s*$|^\s*ret;")


def as_kernel(instance: str) -> str:
    """A kernel that loads the operands of an instance from memory, and stores its results there."""
    lines = module(instance).splitlines()[1:-1]
    body = [VALUE.sub(r"  \1 = llvm.load %in : !llvm.ptr<1> -> \2", line) for line in lines]
    result = re.search(r" -> (?!\()(.+)$", instance.strip())
    if result:
        at = next(number for number, line in enumerate(body) if not line.startswith("  %"))
        body[at] = f"  %found = {body[at].strip()}"
        body.append(f"  llvm.store %found, %out : {result[1]}, !llvm.ptr<1>")
    return kernel("\n".join(body), "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>")


def shown(instance: str) -> str:
    """The lines of PTX for the first of some chips that has the operation, or the message for the last one."""
    message = ""
    for chip in CHIPS:
        try:
            ptx = printed(as_kernel(instance), chip)
        except DiagnosticError as error:
            message = str(error).splitlines()[0]
            continue
        return "\n".join(
            [chip, *(line.strip() for line in ptx.splitlines() if not FRAME.search(line.strip()))]
        )
    return message


def test_instances_become_what_is_listed(bless: bool) -> None:
    chunks = [*INSTANCES.read_text().split(SEPARATOR), *MORE]
    found = [
        f"{chunk.strip()}\n{shown(chunk)}\n" for chunk in chunks if not chunk.startswith('"builtin.module"')
    ]
    golden.compare(LISTING, "\n".join(found), bless=bless)
