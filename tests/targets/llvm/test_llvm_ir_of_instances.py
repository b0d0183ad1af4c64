"""Every operation of `llvm`, and modules by hand: the LLVM IR that they become, or why there is none, in listings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import golden
from tests.support.upstream import SEPARATOR, context, module
from tests.targets.llvm.test_llvm_ir_against_mlir import INSTANCES, in_function
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.driver.startup import context as full_context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.targets.llvm import translate

DATA = Path(__file__).parent / "data"
FRAME = re.compile(r"^(\s*|source_filename.*|  ret void|\}|[0-9a-z]*entry.*)$")


def shown(made: Operation) -> str:
    """The lines of LLVM IR of a module, or the message of its refusal."""
    try:
        text = translate(made)
    except DiagnosticError as error:
        return str(error).splitlines()[0]
    return "\n".join(line for line in text.splitlines() if not FRAME.match(line))


def test_instances_become_what_is_listed(bless: bool) -> None:
    known = context(LLVM)
    found: list[str] = []
    for chunk in INSTANCES.read_text().split(SEPARATOR):
        try:
            made = in_function(parse_module(known, module(chunk))) or parse_module(known, module(chunk))
        except AttributeError:
            continue
        found.append(f"{chunk.strip()}\n{shown(made)}\n")
    golden.compare(DATA / "instances.txt", "\n".join(found), bless=bless)


def written() -> list[str]:
    """The modules by hand."""
    return (DATA / "modules.mlir").read_text().split(SEPARATOR)


def test_modules_become_what_is_listed(bless: bool) -> None:
    texts = [shown(parse_module(full_context(), text, implicit_module=True)) for text in written()]
    golden.compare(DATA / "modules.ll", f"\n; {SEPARATOR}\n".join(texts) + "\n", bless=bless)


@pytest.mark.parametrize("number", range(len(written())))
def test_llvm_takes_modules_by_hand(number: int) -> None:
    binding = pytest.importorskip("llvmlite.binding", reason="llvmlite is not installed")
    text = translate(parse_module(full_context(), written()[number], implicit_module=True))
    binding.parse_assembly(text).verify()
