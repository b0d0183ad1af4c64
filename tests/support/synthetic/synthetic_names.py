"""Names of a synthetic program: registrations of dialects and operations, and strings for class names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.synthetic.synthetic_memory import Memory

if TYPE_CHECKING:
    from tests.support.synthetic.synthetic_program import Truth

DIALECTS = ("nv_tileaa", "nv_tileas", "shared", "cutlass", "cute_nvgpu", "cute")
MNEMONICS = ("load", "store", "view", "async.pipeline.produce_one", "convert_layout", "make_token", "yield")
GCC = "constexpr llvm::StringRef llvm::getTypeName() [with DesiredTypeName = {}]"
CLANG = "StringRef llvm::getTypeName() [DesiredTypeName = {}]"
BARE = "{}]"

CLASSES = {
    "dialect class": ("mlir::nv_tile_ir::aa::NVTileAADialect", "mlir::cutlass_ir::cute::CuteDialect"),
    "pass class": ("mlir::nv_tile_ir::as::{anonymous}::MaterializeSchedulePass",),
    "pattern": (
        "mlir::nv_tile_ir::as::{anonymous}::FuncOpConversion",
        "{anonymous}::GenericOpPattern<mlir::arith::AddFOp>",
        "(anonymous namespace)::LoadOpLowering",
    ),
    "operation class": ("mlir::nv_tile_ir::as::ConvertLayoutOp", "mlir::arith::AddFOp"),
    "attribute": ("mlir::nv_tile_ir::as::SwizzleAttr",),
    "type": ("mlir::cutlass_ir::cute::LayoutType", "mlir::MemRefType"),
    "interface": ("mlir::FunctionOpInterface", "mlir::cutlass_ir::cute::LayoutTypeInterface"),
}
DECOYS = (
    "expected ']'",
    "usage: tool [options]",
    "std::vector<int>]",
    "mlir::]",
    "mlir::Broken<Op]",
    "attr[0]",
    "[T = int]",
    "mlir::lower case]",
    "]",
    "void f() [with T = std::string]",
)


def add(memory: Memory, truth: Truth) -> None:
    """Write the strings and the functions that register names."""
    _class_names(memory, truth)
    operation_taker, other_taker = memory.some_function(), memory.some_function()
    for dialect in DIALECTS:
        if dialect != "shared":
            for mnemonic in MNEMONICS:
                _pass_name(memory, operation_taker, f"{dialect}.{mnemonic}")
                truth.operations.add(f"{dialect}.{mnemonic}")
    for name in ("llvm.align", "file.txt", "Hello World", "a.b"):
        _pass_name(memory, other_taker, name)
    for name in ("x", "lonely", "words"):
        _pass_name(memory, memory.some_function(), name)
    truth.dialects |= set(DIALECTS)


def _class_names(memory: Memory, truth: Truth) -> None:
    forms = (GCC, CLANG, BARE)
    for kind, names in CLASSES.items():
        truth.classes[kind] = set(names)
        for position, name in enumerate(names):
            memory.string(forms[position % 3].format(name))
    for decoy in DECOYS:
        memory.string(decoy)


def _pass_name(memory: Memory, taker: int, name: str) -> None:
    """A function that hands a name and its length to another."""
    at = memory.string(name)
    memory.function(
        lambda code: code.raw("53 4889fb").move("rdx", len(name)).lea("rsi", at).call(taker).raw("5b c3")
    )
