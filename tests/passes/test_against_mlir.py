"""The stock passes make of small modules what ``mlir-opt`` makes of them; every difference is named with its reason.

Constants are compared without their order: the two folders put new ones at opposite ends.
"""

from __future__ import annotations

import functools

import pytest

from tests.support.corpora.pass_corpus import CONTROL, FLOAT, MEMORY
from tests.support.corpora.pass_corpus_programs import HOISTING, INLINING, PROPAGATION, REDUNDANCY
from tests.support.corpora.rewrite_corpus import INTEGER, PREDICATES, function_text
from tests.support.dialect_checks import DIALECTS
from tests.support.mlir_tools import custom_forms
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.memref.dialect import MEMREF
from tilewright.dialects.vector.dialect import VECTOR
from tilewright.driver.startup import startup
from tilewright.ir.context import Context
from tilewright.ir.declaration.traits import ConstantLike
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.passes.pipeline import parse_pipeline

CANONICALIZE: dict[str, str] = {
    **{name: function_text(name, body) for name, body in INTEGER.items()},
    **FLOAT,
    **CONTROL,
    **MEMORY,
}
CORPORA: dict[str, dict[str, str]] = {
    "canonicalize": CANONICALIZE,
    "sccp": PROPAGATION,
    "loop-invariant-code-motion": HOISTING,
    "inline": INLINING,
    "cse": REDUNDANCY,
}

WRAPS = "combining the constants overflows, so that `nsw` or `nuw` no longer holds; MLIR keeps the flag"
FITS = "combining the constants does not overflow, so that the flags still hold; MLIR drops them"
WIDER = "MLIR compares before extending only for `eq` and `ne`; it holds for every order"
TWICE = "rounding twice is not rounding once; MLIR drops the first conversion"


def _flags(name: str, *flags: str, shapes: str = "lr ll rr rl") -> list[str]:
    return [f"{name}_{shape}_{flag}" for shape in shapes.split() for flag in flags]


DIFFERENT: dict[str, str] = {
    **dict.fromkeys(_flags("addi_subi", "nuw", "nsw, nuw", shapes="rr rl"), WRAPS),
    **dict.fromkeys(_flags("subi_addi", "nuw", "nsw, nuw", shapes="ll rl"), WRAPS),
    **dict.fromkeys(_flags("subi_subi", "nuw", "nsw, nuw", shapes="ll"), WRAPS),
    **dict.fromkeys(_flags("muli_muli", "nsw", "nuw", "nsw, nuw"), WRAPS),
    **dict.fromkeys(_flags("subi_addi", "nsw", "nuw", "nsw, nuw", shapes="lr rr"), FITS),
    **{f"cmpi_{p}_{e}": WIDER for p in PREDICATES[2:] for e in ("extsi", "extui")},
    "or_or": "MLIR has this rule for `andi` only",
    "cmp_always": "MLIR folds `true` and `false` for constants only",
    "fma": "MLIR does not compute it",
    "exp": "libraries round it differently: what the compiler computes is not what the device would",
    "itof_inexact": TWICE,
    "while_never": "MLIR keeps a loop whose condition is always false",
    "llvm_arithmetic": "LLVM folds it, MLIR's dialect does not",
    "allocation_of_known_size": "no rule: the type of the allocation would change",
}
"""Why our text is another one, by name."""


@functools.cache
def theirs(pipeline: str) -> dict[str, str]:
    """What MLIR makes of a corpus; one process for all modules."""
    texts = custom_forms(tuple(CORPORA[pipeline].values()), f"--{pipeline}", "--allow-unregistered-dialect")
    return dict(zip(CORPORA[pipeline], texts, strict=True))


def all_dialects() -> Context:
    """A context for everything in the corpora."""
    return Context((*DIALECTS, MEMREF, VECTOR, LLVM), allow_unregistered=True)


def ours(pipeline: str, text: str) -> str:
    """What we make of a module."""
    context = all_dialects()
    module = parse_module(context, text, implicit_module=True)
    parse_pipeline(pipeline, context, startup().passes).run(module)
    return normal(module)


def normal(module: Operation) -> str:
    """The text with constants sorted at the start of their blocks."""
    blocks = [block for op in module.walk() for region in op.regions for block in region.blocks]
    for block in blocks:
        constants = [op for op in block if op.has_trait(ConstantLike)]
        ordered = sorted(constants, key=lambda op: (str(op.result_types[0]), str(op.attributes.get("value"))))
        for op in reversed(ordered):
            op.detach()
            block.prepend(op)
    return str(module)


def read(text: str, context: Context) -> Operation:
    """A module of MLIR's, read by us."""
    return parse_module(context, text, implicit_module=True)


CASES = [(pipeline, name) for pipeline, corpus in CORPORA.items() for name in corpus]


@pytest.mark.parametrize(("pipeline", "name"), CASES, ids=[f"{p}-{n}" for p, n in CASES])
def test_same_text_as_mlir(pipeline: str, name: str) -> None:
    expected = normal(read(theirs(pipeline)[name], all_dialects()))
    found = ours(pipeline, CORPORA[pipeline][name])
    if name in DIFFERENT:
        assert found != expected, f"no longer different: {DIFFERENT[name]}"
    else:
        assert found == expected
