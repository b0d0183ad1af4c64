"""The custom syntax of ``llvm``, ``gpu`` and ``nvvm``: golden text, and the same bytes as ``mlir-opt``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.support import dialect_checks, upstream
from tests.support.lowering_samplers import drawn
from tests.support.mlir_tools import custom_forms, first_errors, generic_forms
from tilewright.dialects.gpu.dialect import GPU
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.memref.dialect import MEMREF
from tilewright.dialects.nvvm.dialect import NVVM
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.dialect import Dialect
from tilewright.ir.equality import difference
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.testing.scene import Unsupported

LOWERING = (LLVM, GPU, NVVM)
GENERIC = PrintOptions(generic=True, use_local_scope=True)
CUSTOM = PrintOptions(use_local_scope=True)
FLAGS = ("--allow-unregistered-dialect", "--mlir-print-local-scope")
MODULES_PER_OPERATION = 2
SEPARATOR = "\n// -----\n"

NOT_DRAWN = {
    "llvm": set[str](),
    "gpu": set[str](),
    "nvvm": {
        "nvvm.convert.bf16x2.to.f8x2",
        "nvvm.convert.f16x2.to.f8x2",
        "nvvm.convert.f32x2.to.f4x2",
        "nvvm.convert.f32x2.to.f6x2",
        "nvvm.convert.f32x2.to.f8x2",
        "nvvm.convert.f32x4.to.f4x4",
        "nvvm.convert.f32x4.to.f6x4",
        "nvvm.convert.f32x4.to.f8x4",
        "nvvm.convert.f4x2.to.f16x2",
        "nvvm.convert.f6x2.to.f16x2",
        "nvvm.convert.f8x2.to.bf16x2",
        "nvvm.convert.f8x2.to.f16x2",
        "nvvm.cp.async.shared.global",
        "nvvm.fence.proxy.sync_restrict",
        "nvvm.ldmatrix",
        "nvvm.mma.block_scale",
        "nvvm.mma.sp.block_scale",
        "nvvm.mma.sp.sync",
        "nvvm.mma.sync",
        "nvvm.predicated.load",
        "nvvm.setmaxregister",
        "nvvm.stmatrix",
        "nvvm.wgmma.mma_async",
        "nvvm.wmma.load",
        "nvvm.wmma.mma",
        "nvvm.wmma.store",
    },
}
"""Operations whose rules leave so little that nothing valid is drawn by chance; the instances have them."""


@cache
def lowering_context() -> Context:
    """A context that knows all dialects that occur in the instances."""
    known = {dialect.name for dialect in dialect_checks.DIALECTS}
    more = [dialect for dialect in (MEMREF, LLVM, NVVM, GPU) if dialect.name not in known]
    return Context([*dialect_checks.DIALECTS, *more], allow_unregistered=True)


def folder(dialect: Dialect) -> Path:
    """Where the texts of a dialect stand."""
    return Path(__file__).with_name(dialect.name)


@cache
def instances(dialect: Dialect) -> tuple[Operation, ...]:
    """The instances of all operations of a dialect."""
    texts = upstream.instances(folder(dialect) / "instances.mlir")
    return tuple(parse_module(lowering_context(), text) for text in texts)


@cache
def corpus(dialect: Dialect) -> tuple[tuple[Operation, ...], frozenset[str]]:
    """Drawn modules of a dialect, and the operations for which none is drawn."""
    modules: list[Operation] = []
    missing: set[str] = set()
    for op_class in dialect.operations:
        try:
            modules.extend(drawn(op_class, str(number)) for number in range(MODULES_PER_OPERATION))
        except Unsupported:
            missing.add(op_class.op_kind.name)
    return tuple(modules), frozenset(missing)


def check_agreement(modules: Sequence[Operation]) -> None:
    """We print what ``mlir-opt`` prints, read it as it does, and print it again.

    ``mlir-opt`` fills in attributes that have a default and are left out, so its generic form is what we print.
    """
    texts = tuple(module.print(GENERIC).strip() for module in modules)
    complete, theirs = generic_forms(texts, *FLAGS), custom_forms(texts, *FLAGS)
    as_read = generic_forms(tuple(theirs), *FLAGS)
    for given, text, meaning in zip(complete, theirs, as_read, strict=True):
        assert parse_module(lowering_context(), given).print(CUSTOM).strip() == text
        again = parse_module(lowering_context(), text)
        assert difference(parse_module(lowering_context(), meaning), again) is None, text
        assert again.print(CUSTOM).strip() == text


MALFORMED = (
    (
        'llvm.func @f(%x: i32) { %0 = llvm.icmp "oeq" %x, %x : i32 llvm.return }',
        "'oeq' is an incorrect value of the 'predicate' attribute",
    ),
    (
        'func.func @f(%x: index) { %0 = llvm.icmp "eq" %x, %x : index return }',
        "expected LLVM dialect-compatible type",
    ),
    (
        "llvm.func @f(%x: i32) { %0 = llvm.alloca %x x i8 : (i32) -> () llvm.return }",
        "expected trailing function type with one argument and one result",
    ),
    (
        "llvm.func @f(%x: !llvm.struct<(i32)>) { %0 = llvm.extractvalue %x[5] : !llvm.struct<(i32)> llvm.return }",
        "position out of bounds: 5",
    ),
    ("llvm.mlir.global external @g(1 : i32)", "type can only be omitted for string globals"),
    (
        "llvm.func @f() -> (i32, i32)",
        "failed to construct function type: expected zero or one function result",
    ),
    (
        "llvm.func @f(index)",
        "failed to construct function type: expected LLVM type for function arguments",
    ),
    (
        "llvm.func @f() { llvm.call @f() : () -> (i32, i32) llvm.return }",
        "expected function with 0 or 1 result",
    ),
    (
        "llvm.func @f() { llvm.call @f() : () -> !llvm.void llvm.return }",
        "expected a non-void result type",
    ),
    ("func.func @f() { gpu.wait async return }", "needs to be named when marked 'async'"),
    ("gpu.module @m { gpu.func @f(i32) { gpu.return } }", "gpu.func requires named arguments"),
)
"""Texts that are no custom form, and what ``mlir-opt`` says about them."""

each_dialect = pytest.mark.parametrize("dialect", LOWERING, ids=lambda dialect: dialect.name)


@each_dialect
def test_mlir_prints_and_reads_instances_as_we_do(dialect: Dialect) -> None:
    check_agreement(instances(dialect))


@each_dialect
def test_mlir_prints_and_reads_drawn_modules_as_we_do(dialect: Dialect) -> None:
    check_agreement(corpus(dialect)[0])


@each_dialect
def test_every_operation_is_drawn_or_listed(dialect: Dialect) -> None:
    modules, missing = corpus(dialect)
    assert missing == NOT_DRAWN[dialect.name]
    present = {op.name for module in (*modules, *instances(dialect)) for op in module.walk()}
    assert {op_class.op_kind.name for op_class in dialect.operations} <= present


@each_dialect
def test_drawn_modules_are_valid_and_survive_the_custom_text(dialect: Dialect) -> None:
    for module in corpus(dialect)[0]:
        assert [error.message for error in verify(module)] == [], str(module)
        text = module.print(CUSTOM)
        again = parse_module(lowering_context(), text)
        assert again.print(CUSTOM) == text
        assert [error.message for error in verify(again)] == []


@each_dialect
def test_instances_have_their_golden_text(dialect: Dialect, bless: bool) -> None:
    golden = folder(dialect) / "custom.mlir"
    text = SEPARATOR.join(module.print(CUSTOM).strip() for module in instances(dialect)) + "\n"
    if bless:
        golden.write_text(text)
    assert golden.read_text() == text


@each_dialect
def test_golden_text_is_read(dialect: Dialect) -> None:
    for text in (folder(dialect) / "custom.mlir").read_text().split(SEPARATOR):
        again = parse_module(lowering_context(), text)
        assert [error.message for error in verify(again)] == []
        assert again.print(CUSTOM).strip() == text.strip()


@pytest.mark.parametrize(("text", "message"), MALFORMED)
def test_malformed_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=re.escape(message)):
        parse_module(lowering_context(), text)


def test_mlir_refuses_malformed_text_in_the_same_words() -> None:
    answers = first_errors(tuple(text for text, _ in MALFORMED))
    for (text, message), answer in zip(MALFORMED, answers, strict=True):
        assert answer is not None, text
        assert re.fullmatch(rf"(custom op '[\w.]+' )?{re.escape(message)}", answer)
