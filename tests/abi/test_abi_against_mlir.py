"""Profile mlir-upstream against the memory of a real MLIR that runs in this process."""

from __future__ import annotations

import atexit
import ctypes as c
import itertools
import sys
from pathlib import Path

import pytest

from tests.support import mlir_library as mlir
from tilewright.abi.image.segments import OtherProcessMemory, read_struct
from tilewright.abi.image.views import UpstreamView
from tilewright.abi.image.walker import addresses
from tilewright.abi.layout import Struct
from tilewright.abi.layouts import diagnostic, operation, patterns

MODULE = """
module attributes {a.top} {
  "a.f"() ({
  ^bb0(%x: i32, %y: f32):
    %0:9 = "a.g"(%x, %y, %x) {k = 1 : i32} : (i32, f32, i32) -> (i32, i32, i32, i32, i32, i32, i32, f32, i1)
    "a.br"(%0#7, %0#1, %0#8, %0#1)[^bb1, ^bb2] : (f32, i32, i1, i32) -> ()
  ^bb1:  // two predecessors
    "a.br"()[^bb2] : () -> ()
  ^bb2:
    "a.nest"() ({}, {"a.in"() : () -> ()}, {^bb0(%i: index): "a.in"(%i) : (index) -> ()}) : () -> ()
    "a.ret"() : () -> ()
  }) : () -> ()
}
"""
if not sys.platform.startswith("linux"):
    pytest.skip("the memory of this process is read through /proc", allow_module_level=True)
MEMORY = OtherProcessMemory()
atexit.register(MEMORY.close)
VIEW = UpstreamView(MEMORY)


def decoded(struct: Struct, address: int) -> dict[str, object]:
    return read_struct(MEMORY, struct, address)


def operations(root: int) -> list[int]:
    found: list[int] = []
    mlir.walk(root, found.append)
    return found


def test_the_walker_visits_what_mlir_visits() -> None:
    with mlir.parsed(MODULE) as root:
        assert addresses(VIEW, root) == operations(root)
        assert [VIEW.name(op) for op in operations(root)] == [
            mlir.operation_name(op) for op in operations(root)
        ]


def test_headers() -> None:
    with mlir.parsed(MODULE) as root:
        for op in operations(root):
            header = decoded(operation.UPSTREAM_OPERATION, op)
            counts = ("Results", "Successors", "Regions")
            names = ("num_results", "num_successors", "num_regions")
            assert [header[n] for n in names] == [mlir.words(op, f"mlirOperationGetNum{c}") for c in counts]
            assert header["location"] == mlir.pointer("mlirOperationGetLocation", op)
            assert header["block"] == mlir.pointer("mlirOperationGetBlock", op)
            record = decoded(operation.UPSTREAM_OPERATION_NAME, header["name"])
            assert record["name"] == mlir.pointer("mlirOperationGetName", op)


def test_operands_results_successors() -> None:
    with mlir.parsed(MODULE) as root:
        for op in operations(root):
            count = mlir.words(op, "mlirOperationGetNumOperands")
            operands = [mlir.pointer("mlirOperationGetOperand", op, at) for at in range(count)]
            assert [operand.value for operand in VIEW.operands(op)] == operands
            assert all(operand.owner == op for operand in VIEW.operands(op))
            results = mlir.words(op, "mlirOperationGetNumResults")
            assert VIEW.results(op) == [
                mlir.pointer("mlirOperationGetResult", op, at) for at in range(results)
            ]
            successors = mlir.words(op, "mlirOperationGetNumSuccessors")
            assert VIEW.successors(op) == [
                mlir.pointer("mlirOperationGetSuccessor", op, at) for at in range(successors)
            ]


def test_values() -> None:
    with mlir.parsed(MODULE) as root:
        for op in operations(root):
            for index, value in enumerate(VIEW.results(op)):
                held = decoded(operation.UPSTREAM_VALUE, value)
                assert held["kind"] == min(index, operation.OUT_OF_LINE_KIND)
                assert held["type"] == mlir.pointer("mlirValueGetType", value) >> 3
                if index >= operation.INLINE_RESULTS:
                    far = decoded(operation.OUT_OF_LINE_RESULT, value)
                    assert far["index"] == index - operation.INLINE_RESULTS
                assert use_list(value) == users(value)


def use_list(value: int) -> list[int]:
    found: list[int] = []
    use = int.from_bytes(MEMORY.read(value, 8), "little")
    place = value
    while use:
        held = decoded(operation.UPSTREAM_OP_OPERAND, use)
        assert held["back"] == place
        assert held["value"] == value
        found.append(held["owner"])
        place, use = use, held["next"]
    return found


def users(value: int) -> list[int]:
    found: list[int] = []
    use = mlir.pointer("mlirValueGetFirstUse", value)
    while use:
        found.append(mlir.pointer("mlirOpOperandGetOwner", use))
        use = mlir.pointer("mlirOpOperandGetNextUse", use)
    return found


def test_regions_and_blocks() -> None:
    with mlir.parsed(MODULE) as root:
        for op in operations(root):
            regions = mlir.items(op, "mlirOperationGetFirstRegion", "mlirRegionGetNextInOperation")
            assert VIEW.regions(op) == regions
            for region in regions:
                assert decoded(operation.UPSTREAM_REGION, region)["container"] == op
                blocks = mlir.items(region, "mlirRegionGetFirstBlock", "mlirBlockGetNextInRegion")
                assert list(VIEW.blocks(region)) == blocks
                for block in blocks:
                    check_block(block, region)


def check_block(block: int, region: int) -> None:
    held = decoded(operation.UPSTREAM_BLOCK, block)
    assert held["parent"] == region >> 3
    count = mlir.words(block, "mlirBlockGetNumArguments")
    arguments = [mlir.pointer("mlirBlockGetArgument", block, at) for at in range(count)]
    assert VIEW.arguments(block) == arguments
    for index, argument in enumerate(arguments):
        record = decoded(operation.UPSTREAM_BLOCK_ARGUMENT, argument)
        assert (record["owner"], record["index"]) == (block, index)
        assert record["kind"] == operation.BLOCK_ARGUMENT_KIND
    assert list(VIEW.ops(block)) == mlir.items(
        block, "mlirBlockGetFirstOperation", "mlirOperationGetNextInBlock"
    )
    last = held["last"]
    assert isinstance(last, int)
    assert last & ~7 == list(VIEW.ops(block))[-1]


def test_the_published_decoder_finds_the_first_region() -> None:
    with mlir.parsed(MODULE) as root:
        for op in operations(root):
            first = mlir.pointer("mlirOperationGetFirstRegion", op)
            successors, word = (int.from_bytes(MEMORY.read(op + at, 4), "little") for at in (0x28, 0x2C))
            assert operation.decoder(op, successors, word) == first


def test_string_attributes() -> None:
    with mlir.parsed(MODULE) as root:
        ctx = mlir.pointer("mlirOperationGetContext", root)
        attribute = mlir.pointer("mlirStringAttrGet", ctx, mlir.text("some text"))
        assert VIEW.string_attribute(attribute) == "some text"


SEVERITIES = {0: 2, 1: 1, 2: 0, 3: 3}
"""The C interface counts errors from 0, the library notes."""


def test_diagnostics() -> None:
    seen: list[tuple[dict[str, object], int, int]] = []
    handler = c.CFUNCTYPE(c.c_bool, c.c_void_p, c.c_void_p)

    def take(address: int, _: int) -> bool:
        held = decoded(diagnostic.UPSTREAM_NOTE, address)
        severity = mlir.call("mlirDiagnosticGetSeverity", c.c_int, address)
        seen.append((held, severity, mlir.pointer("mlirDiagnosticGetLocation", address)))
        parts = held["arguments"]
        assert isinstance(parts, dict)
        messages.append(message(parts))
        return True

    messages: list[str] = []
    kept = handler(take)
    with mlir.parsed(MODULE) as root:
        ctx = mlir.pointer("mlirOperationGetContext", root)
        address = c.cast(kept, c.c_void_p).value
        mlir.call("mlirContextAttachDiagnosticHandler", c.c_uint64, ctx, address, 0, 0)
        location = mlir.pointer("mlirLocationUnknownGet", ctx)
        mlir.call("mlirEmitError", None, location, c.c_char_p(b"something is wrong"))
    ((held, severity, where),) = seen
    assert held["severity"] == SEVERITIES[severity] == 2
    assert held["location"] == where
    assert messages == ["something is wrong"]
    parts = held["arguments"]
    assert isinstance(parts, dict)
    assert parts["capacity"] == diagnostic.INLINE_ARGUMENTS


def message(parts: dict[str, int]) -> str:
    found: list[str] = []
    for at in range(parts["size"]):
        held = decoded(diagnostic.UPSTREAM_ARGUMENT, parts["data"] + 24 * at)
        assert held["kind"] == 3
        found.append(c.string_at(held["value"], held["aux"]).decode())
    return "".join(found)


def test_patterns() -> None:
    with mlir.parsed(MODULE) as root:
        ctx = mlir.pointer("mlirOperationGetContext", root)
        names = (mlir.StringRef * 2)(mlir.text("a.g"), mlir.text("a.in"))
        made = mlir.pointer(
            "mlirOpRewritePatternCreate",
            mlir.text("a.br"),
            c.c_uint(7),
            ctx,
            mlir.Callbacks(None, None, None),
            0,
            c.c_size_t(2),
            names,
        )
        held = decoded(patterns.UPSTREAM_REWRITE_PATTERN, made)
        assert (held["root_kind"], held["benefit"]) == (1, 7)
        assert held["context"] == ctx >> 3
        root_name = held["root"]
        assert isinstance(root_name, int)
        assert VIEW.kind_name(root_name) == "a.br"
        generated = held["generated_ops"]
        assert isinstance(generated, dict)
        assert (generated["size"], generated["capacity"]) == (2, 2)
        assert [VIEW.kind_name(at) for at in generated["inline"]] == ["a.g", "a.in"]


@pytest.fixture(autouse=True)
def _mlir() -> None:
    mlir.library()


def test_register_classes_of_nvptx() -> None:
    """The seven classes of LLVM 22's NVPTX, found in its read-only data by the widths of their registers."""
    np = pytest.importorskip("numpy")
    widths = [1, 16, 32, 32, 32, 64, 128]
    struct, target = patterns.MC_REGISTER_CLASS, patterns.TARGET_REGISTER_CLASS
    found: list[int] = []
    for base, data in mapped("libLLVM.so"):
        table = np.frombuffer(data[: len(data) // struct.size * struct.size], dtype=struct.dtype())
        hit = np.ones(len(table) - len(widths) + 1, dtype=bool)
        for at, width in enumerate(widths):
            part = table[at : len(table) - len(widths) + 1 + at]
            hit &= (part["bits"] == width) & (part["id"] == at) & (part["allocatable"] == 1)
        starts = [base + struct.size * int(start) for start in np.flatnonzero(hit)]
        found += starts
        for start in starts:
            check_target_classes(base, data, start, target, len(widths))
    assert len(found) == 1


def check_target_classes(base: int, data: bytes, first: int, target: Struct, count: int) -> None:
    """The code generator's records lie side by side in reverse order, each leading to an assembler's record."""
    import numpy as np

    words = np.frombuffer(data[: len(data) // 8 * 8], dtype="<u8")
    places = [base + 8 * int(np.flatnonzero(words == first + 32 * at)[0]) for at in range(count)]
    assert {before - after for before, after in itertools.pairwise(places)} == {target.size}
    for at in places:
        held = target.decode(data, at - base)
        assert held["lane_mask"] == 1
        assert base <= held["mc"] < base + len(data)
        assert (held["num_superclasses"] == 0) == (held["superclasses"] == 0)


def mapped(library: str) -> list[tuple[int, bytes]]:
    """The read-only data of a library in this process after relocation, but for the large part without pointers."""
    found: list[tuple[int, bytes]] = []
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        span, mode, *rest = line.split()
        start, end = (int(number, 16) for number in span.split("-"))
        if rest[-1].endswith(library) and mode == "r--p" and end - start < 4 << 20:
            found.append((start, MEMORY.read(start, end - start)))
    return found
