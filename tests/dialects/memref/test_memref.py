from pathlib import Path

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
from tilewright.dialects.func.dialect import FUNC
from tilewright.dialects.memref.dialect import HAND_WRITTEN_SYNTAX, MEMREF

CONTEXT = context(FUNC, MEMREF)
INSTANCES = instances(Path(__file__).with_name("instances.mlir"))
BROKEN = broken(Path(__file__).with_name("broken.mlir"))
SOURCE = "Dialect/MemRef/IR/MemRefOps.td"


def test_every_operation_has_an_instance():
    assert missing_instances(MEMREF, INSTANCES) == set()


def test_instances_round_trip():
    for text in INSTANCES:
        round_trip(text, CONTEXT)


def test_mlir_opt_agrees_on_all_instances():
    check_agreement(INSTANCES, CONTEXT)


def test_every_single_broken_constraint_is_found(monkeypatch):
    check_breakages(MEMREF, INSTANCES, monkeypatch)


def test_broken_modules_are_refused():
    check_refusals(BROKEN, CONTEXT)


def test_mlir_opt_refuses_broken_modules_in_the_same_words():
    assert first_errors(tuple(text for text, _ in BROKEN)) == [message for _, message in BROKEN]


def test_declarations_are_those_of_mlir():
    check_declarations(MEMREF, SOURCE)


def test_hand_written_syntax_is_listed():
    records = reference_operations(SOURCE, "memref")
    custom = {name for name, record in records.items() if record["hasCustomAssemblyFormat"]}
    assert set(HAND_WRITTEN_SYNTAX) == custom & {kind.name for kind in all_kinds(MEMREF)}
