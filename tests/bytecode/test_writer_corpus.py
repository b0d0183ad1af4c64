"""The writer against the real one: the same modules, byte for byte where the format leaves no freedom.

Two things are free: in which order tables are filled, and how constants of equal i1 elements are spelt.  Two more
are lost: the order of hints, which the IR sorts, and, by a bug of the real writer, the sign of f64 identities.
"""

from __future__ import annotations

import pytest

from tests.bytecode.fixture_files import Fixture, fixtures
from tests.bytecode.writer_support import CONTEXT, written_with_tables_of
from tests.support.corpora.frontend_corpus import corpus
from tests.support.real.real_tools import disassemble
from tests.support.real.real_writer import REFUSED, OpCase, op_cases, version_cases
from tilewright.bytecode import read_bytecode, read_container, write_bytecode
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.ir.builtin_attributes import DenseElementsAttr, DictionaryAttr
from tilewright.ir.builtin_types import i1
from tilewright.ir.equality import difference

CHUNKS = 8
LOST_SIGN = "identity-negative-f64"


def _rewritten(data: bytes) -> tuple[ModuleOp, bytes]:
    module = read_bytecode(data, CONTEXT)
    return module, write_bytecode(module, read_container(data).version, verify=False)


def _has_boolean_splat(module: ModuleOp) -> bool:
    values = [op.held_attributes.get("value") for op in module.walk()]
    return any(isinstance(v, DenseElementsAttr) and v.element_type is i1 and v.is_splat for v in values)


def _has_ordered_entries(module: ModuleOp) -> bool:
    """Whether a dictionary has several entries, whose order in the file the IR does not keep."""
    held = [value for op in module.walk() for value in op.held_attributes.values()]
    hints = [found for value in held if isinstance(found := getattr(value, "hints", None), DictionaryAttr)]
    return any(len(h) > 1 or any(len(v) > 1 for _, v in h if isinstance(v, DictionaryAttr)) for h in hints)


def _check_same_program(name: str, data: bytes) -> bool:
    """Whether the bytes are the same; if not, the module still is, and there is a reason."""
    module, written = _rewritten(data)
    again = read_bytecode(written, CONTEXT, verify=False)
    assert difference(module, again, locations=True) is None, name
    assert write_bytecode(again, read_container(data).version, verify=False) == written, name
    if LOST_SIGN in name:
        return False
    if _has_boolean_splat(module) or _has_ordered_entries(module):
        assert len(written) == len(data) or _has_boolean_splat(module), name
    else:
        assert written_with_tables_of(data, module) == data, name
    return written == data


@pytest.mark.parametrize("case", fixtures(), ids=lambda case: case.name)
def test_fixtures(case: Fixture) -> None:
    _check_same_program(case.name, case.data)


def test_most_fixtures_are_written_as_they_were() -> None:
    same = [case.name for case in fixtures() if _rewritten(case.data)[1] == case.data]
    assert len(same) >= 40, sorted({case.name for case in fixtures()} - set(same))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_corpus(chunk: int) -> None:
    for case in (*op_cases(), *version_cases())[chunk::CHUNKS]:
        _check_same_program(case.name, case.bytecode)


def test_frontend_corpus_is_written_byte_for_byte() -> None:
    """cuTile fills its tables in the order of first use, as the writer does; only hints are sorted."""
    for name, version, data in corpus():
        same = _check_same_program(f"{name}@{version}", data)
        assert same or _has_ordered_entries(read_bytecode(data, CONTEXT)), (name, version)


def _samples() -> list[OpCase]:
    """One module of each op in each version that the corpus has it in."""
    chosen: dict[tuple[str, object], OpCase] = {}
    for case in op_cases():
        if case.name.partition("@")[0] not in REFUSED:
            chosen.setdefault((case.op, case.version), case)
    return list(chosen.values())


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_disassembler_shows_the_same_text(chunk: int) -> None:
    for case in _samples()[chunk::CHUNKS]:
        written = _rewritten(case.bytecode)[1]
        for debug in (False, True) if case.name.startswith("entry/") else (False,):
            assert disassemble(written, debug=debug) == disassemble(case.bytecode, debug=debug), case.name
