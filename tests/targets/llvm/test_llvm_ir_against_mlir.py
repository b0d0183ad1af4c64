"""The text of LLVM IR says what `mlir-translate` says: LLVM parses both, prints both, and the prints are the same."""

from __future__ import annotations

import ctypes
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.lowering.native import Native, llvm_ir
from tests.support import upstream
from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.llvm.ops.control import ReturnOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import VOID, LLVMFunctionType
from tilewright.driver.startup import context as full_context
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.traits import Terminator
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.targets.llvm import translate
from tilewright.targets.llvm.intrinsics import LEFT_OUT

GENERIC = PrintOptions(generic=True, use_local_scope=True)
INSTANCES = Path(__file__).parents[2] / "dialects" / "llvm" / "instances.mlir"
NOT_ALONE = {
    "llvm.mlir.addressof": "names a symbol",
    "llvm.dso_local_equivalent": "names a symbol",
    "llvm.call": "names a symbol, or has bundles that LLVM refuses",
    "llvm.call_intrinsic": "the instances name no real intrinsic",
    "llvm.mlir.global_ctors": "stands in a module",
    "llvm.mlir.global_dtors": "stands in a module",
    "llvm.mlir.ifunc": "stands in a module, and is not translated",
    "llvm.module_flags": "stands in a module",
    "llvm.linker_options": "stands in a module, and is not translated",
    "llvm.intr.assume": "the instances have bundles that LLVM refuses",
    "llvm.intr.ldexp": "the instances have a result of another type than LLVM wants",
    "llvm.intr.powi": "the instances have a result of another type than LLVM wants",
    "llvm.intr.uadd.with.overflow": "the instances have a result that is no struct",
    "llvm.intr.ssub.with.overflow": "the instances have a result that is no struct",
    "llvm.intr.usub.with.overflow": "the instances have a result that is no struct",
    "llvm.intr.smul.with.overflow": "the instances have a result that is no struct",
    "llvm.intr.lifetime.start": "is for memory of an alloca",
    "llvm.intr.lifetime.end": "is for memory of an alloca",
    "llvm.intr.threadlocal.address": "names a thread-local variable",
    "llvm.intr.vastart": "is for functions of variable arguments",
    "llvm.intr.stacksave": "the instances have a result that is no pointer",
    "llvm.intr.ptrmask": "the instances have a mask that is narrower than a pointer",
    **dict.fromkeys(LEFT_OUT, "is not translated"),
}
"""Operations whose instances cannot stand alone in a function that LLVM accepts."""
IGNORED = re.compile(
    r"(, )?![\w.]+( !\{?\}?[0-9]*)?| #[0-9]+| immarg| captures\(none\)| noalias| writeonly| readonly|(?<=%node)\.[0-9]+"
)
"""Metadata, and attributes that LLVM's builder adds to the declarations of intrinsics."""
STRAY = re.compile(r"^(;|!|source_filename|target |attributes |\s*$)")


@pytest.fixture(scope="module")
def binding() -> Any:
    """llvmlite, if it has the LLVM of the tools."""
    return pytest.importorskip("llvmlite.binding", reason="llvmlite is not installed")


def in_function(instance: Operation) -> Operation | None:
    """The operation of an instance in a function whose arguments are its operands; None if it cannot stand there."""
    ops = list(instance.regions[0].block)
    op = ops[-1]
    alone = not op.regions and not op.successors and op.kind.name.startswith("llvm.")
    if not alone or op.kind.has_trait(Terminator) or op.kind.name in NOT_ALONE:
        return None
    values = [other for other in ops[:-1] if other.kind.name == "test.value"]
    types = [value.results[0].type for value in values]
    body = Block(types)
    for value, argument in zip(values, body.arguments, strict=True):
        value.results[0].replace_all_uses_with(argument)
    op.detach()
    body.append(op)
    body.append(ReturnOp())
    function = LLVMFuncOp("f", LLVMFunctionType(VOID, tuple(types)), body=Region([body]))
    module = ModuleOp(bodyRegion=Region([Block()]))
    module.regions[0].block.append(function)
    return module


@cache
def subjects() -> tuple[Operation, ...]:
    """All instances that can stand in a function."""
    known = upstream.context(LLVM)
    made = (in_function(parse_module(known, text)) for text in upstream.instances(INSTANCES))
    return tuple(module for module in made if module is not None)


def _ordered(line: str) -> str:
    """A phi with its pairs in order of their text: the order means nothing."""
    pairs = re.findall(r"\[ [^]]* \]", line) if " = phi " in line else []
    return line.split("[")[0] + ", ".join(sorted(pairs)) if pairs else line


def canonical(binding: Any, text: str) -> list[str]:
    """What LLVM prints after it parsed a text, without comments, metadata and attributes of declarations."""
    lines = [line for line in str(binding.parse_assembly(text)).splitlines() if not STRAY.match(line)]
    plain = [_ordered(IGNORED.sub("", line)) for line in lines]
    declared = sorted({line for line in plain if line.startswith("declare")})
    return declared + [line for line in plain if not line.startswith("declare")]


def test_every_instance_is_the_text_of_mlir(binding: Any) -> None:
    modules = subjects()
    theirs = llvm_ir([module.print(GENERIC) for module in modules])
    pairs = [(translate(module), their) for module, their in zip(modules, theirs, strict=True)]
    different = [pair for pair in pairs if canonical(binding, pair[0]) != canonical(binding, pair[1])]
    assert not different, "\n".join(different[0])
    assert len(pairs) > 200


WRITTEN = {
    "loop": """
llvm.func @sum(%p: !llvm.ptr {llvm.noalias, llvm.align = 64 : i64}, %n: i64) -> f32 attributes {no_unwind} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %start = llvm.mlir.constant(-0.0 : f32) : f32
  llvm.br ^head(%zero, %start : i64, f32)
^head(%i: i64, %acc: f32):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more weights([3, 1]), ^body, ^done
^body:
  %at = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %at {alignment = 4 : i64} : !llvm.ptr -> f32
  %next = llvm.fadd %acc, %x {fastmathFlags = #llvm.fastmath<reassoc, contract>} : f32
  %j = llvm.add %i, %one overflow<nsw, nuw> : i64
  llvm.br ^head(%j, %next : i64, f32) {loop_annotation = #llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>, mustProgress = true>}
^done:
  llvm.return %acc : f32
}
""",
    "globals": """
llvm.mlir.global internal constant @text("a\\22\\00b") {addr_space = 0 : i32}
llvm.mlir.global private @zeros(dense<0.0> : tensor<8xf32>) {alignment = 64 : i64} : !llvm.array<8 x f32>
llvm.mlir.global external @numbers(dense<[[1, 2], [3, -4]]> : tensor<2x2xi16>) : !llvm.array<2 x array<2 x i16>>
llvm.mlir.global external @elsewhere() : i32
llvm.mlir.global external thread_local @mine(7 : i32) : i32
llvm.mlir.global internal @where() : !llvm.ptr {
  %0 = llvm.mlir.addressof @numbers : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @callee(i32, ...) -> i32
llvm.func internal fastcc @helper(%x: i32) -> i32 attributes {always_inline} { llvm.return %x : i32 }
llvm.func @calls(%x: i32, %f: !llvm.ptr) -> i32 {
  %p = llvm.mlir.addressof @text : !llvm.ptr
  %0 = llvm.call @callee(%x, %p) vararg(!llvm.func<i32 (i32, ...)>) : (i32, !llvm.ptr) -> i32
  %1 = llvm.call fastcc @helper(%0) : (i32) -> i32
  %2 = llvm.call %f(%1) : !llvm.ptr, (i32) -> i32
  %3 = llvm.call_intrinsic "llvm.smax.i32"(%1, %2) : (i32, i32) -> i32
  llvm.return %3 : i32
}
""",
    "scalars": """
llvm.func @scalars() {
  %0 = llvm.mlir.constant(1.5 : f16) : f16
  %1 = llvm.mlir.constant(-2.5 : bf16) : bf16
  %2 = llvm.mlir.constant(1.0e-40 : f32) : f32
  %3 = llvm.mlir.constant(0x7FC00001 : f32) : f32
  %4 = llvm.mlir.constant(-1 : i1) : i1
  %5 = llvm.mlir.constant(dense<[1.0, -0.0]> : vector<2xbf16>) : vector<2xbf16>
  %6 = llvm.mlir.constant(9223372036854775808 : i64) : i64
  %n = llvm.mlir.constant(4 : i64) : i64
  %p = llvm.alloca %n x !llvm.struct<"node", (ptr, array<4 x f64>)> {alignment = 32 : i64} : (i64) -> !llvm.ptr
  llvm.store %0, %p : f16, !llvm.ptr
  llvm.store volatile %1, %p : bf16, !llvm.ptr
  llvm.store %2, %p {nontemporal} : f32, !llvm.ptr
  llvm.store %3, %p atomic syncscope("agent") release {alignment = 4 : i64} : f32, !llvm.ptr
  llvm.store %4, %p : i1, !llvm.ptr
  llvm.store %5, %p : vector<2xbf16>, !llvm.ptr
  llvm.store %6, %p : i64, !llvm.ptr
  %old = llvm.atomicrmw fadd %p, %2 acq_rel : !llvm.ptr, f32
  %pair = llvm.cmpxchg weak %p, %6, %n seq_cst monotonic : !llvm.ptr, i64
  %flag = llvm.extractvalue %pair[1] : !llvm.struct<(i64, i1)>
  llvm.fence syncscope("agent") seq_cst
  %r = llvm.inline_asm has_side_effects asm_dialect = intel "mov $0, $1", "=r,r" %n : (i64) -> i64
  llvm.unreachable
}
""",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_written_modules_are_the_text_of_mlir(binding: Any, name: str) -> None:
    module = parse_module(full_context(), WRITTEN[name], implicit_module=True)
    (theirs,) = llvm_ir([module.print(GENERIC)])
    assert canonical(binding, translate(module)) == canonical(binding, theirs)


def test_loop_advice_reaches_llvm(binding: Any) -> None:
    module = parse_module(full_context(), WRITTEN["loop"], implicit_module=True)
    text = str(binding.parse_assembly(translate(module)))
    for word in ("llvm.loop.vectorize.enable", "llvm.loop.unroll.disable", "llvm.loop.mustprogress"):
        assert word in text
    assert re.search(r"br label %\w+, !llvm\.loop !\d+", text)


EDGES = """
llvm.func @pick(%c: i1, %v: i32, %a: i32, %b: i32) -> i32 {
  llvm.cond_br %c, ^out(%a : i32), ^out(%b : i32)
^out(%r: i32):
  llvm.switch %v : i32, ^end(%r : i32) [
    1: ^end(%a : i32),
    -7: ^end(%b : i32)
  ]
^end(%s: i32):
  llvm.return %s : i32
}
"""


@pytest.mark.parametrize(
    ("flag", "value", "result"), [(1, 0, 30), (0, 0, 40), (1, 1, 30), (0, -7, 40), (1, -7, 40)]
)
def test_edges_to_one_block_bring_their_own_values(flag: int, value: int, result: int) -> None:
    """LLVM knows edges by the block they come from; two from one block need a block between."""
    module = parse_module(full_context(), EDGES, implicit_module=True)
    native = Native(translate(module))
    address = native.engine.get_function_address("pick")
    pick = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_bool, *[ctypes.c_int32] * 3)(address)
    assert pick(flag, value, 30, 40) == result
