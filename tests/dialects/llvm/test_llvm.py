from pathlib import Path

import pytest

from tests.support.mlir_tools import first_errors
from tests.support.upstream import (
    all_kinds,
    broken,
    check_agreement,
    check_breakages,
    check_declarations,
    check_refusals,
    context,
    instances,
    missing_instances,
    reference_operations,
    round_trip,
)
from tilewright.dialects.llvm.dialect import HAND_WRITTEN_SYNTAX, LLVM

CONTEXT = context(LLVM)
INSTANCES = instances(Path(__file__).with_name("instances.mlir"))
BROKEN = broken(Path(__file__).with_name("broken.mlir"))
SOURCES = ("Dialect/LLVMIR/LLVMOps.td", "Dialect/LLVMIR/LLVMIntrinsicOps.td")


def test_every_operation_has_an_instance():
    assert missing_instances(LLVM, INSTANCES) == set()


def test_instances_round_trip():
    for text in INSTANCES:
        round_trip(text, CONTEXT)


def test_mlir_opt_agrees_on_all_instances():
    check_agreement(INSTANCES, CONTEXT)


def test_every_single_broken_constraint_is_found(monkeypatch):
    check_breakages(LLVM, INSTANCES, monkeypatch)


def test_broken_modules_are_refused():
    check_refusals(BROKEN, CONTEXT)


def test_mlir_opt_refuses_broken_modules_in_the_same_words():
    assert first_errors(tuple(text for text, _ in BROKEN)) == [message for _, message in BROKEN]


@pytest.mark.parametrize("source", SOURCES)
def test_declarations_are_those_of_mlir(source):
    check_declarations(LLVM, source)


def test_hand_written_syntax_is_listed():
    custom: set[str] = set()
    for source in SOURCES:
        records = reference_operations(source, "llvm")
        custom |= {name for name, record in records.items() if record["hasCustomAssemblyFormat"]}
    assert set(HAND_WRITTEN_SYNTAX) == custom & {kind.name for kind in all_kinds(LLVM)}
