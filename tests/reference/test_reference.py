"""The reference pages: complete, the same as the committed ones, found by any name; examples that work."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

import pytest

from tests.dialects.cuda_tile.roundtrip import CONTEXT, reparsed
from tests.golden import compare
from tests.house.tree import ROOT, module_name, python_files, run_python
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE, OPERATIONS
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.reference import explain, pages, suggestions, write_pages
from tilewright.reference.__main__ import main
from tilewright.reference.op_page import example, example_module
from tilewright.reference.pages import OTHERS
from tilewright.reference.subjects import CODE_MODULES, codes, element_types
from tilewright.testing.execution import Launchpad, entries

FOLDER = ROOT / "docs" / "reference"
every_operation = pytest.mark.parametrize("op_class", OPERATIONS, ids=lambda c: c.op_kind.mnemonic)


def test_the_committed_pages(bless: bool) -> None:
    if bless:
        write_pages(FOLDER)
    found = pages()
    assert sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.md")) == sorted([*found, *OTHERS])
    for path, text in found.items():
        compare(FOLDER / path, text, bless=False)


def test_links_lead_somewhere() -> None:
    found = pages()
    for path, text in found.items():
        for target in re.findall(r"\]\(([^)]+\.md)\)", text):
            assert posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) in found, (
                path,
                target,
            )


@every_operation
def test_every_operation_has_a_complete_page(op_class: type[TileOp]) -> None:
    kind = op_class.op_kind
    text = explain(kind.name)
    assert text is not None
    assert text.startswith(f"# `{kind.name}`\n")
    assert f"| since | bytecode {op_class.since} |" in text
    assert f"0x{op_class.opcode:02X}" in text
    for field in (*kind.operands, *kind.results, *kind.regions):
        assert f"| `{field.name}` |" in text
        assert field.doc in text
    for field in kind.attributes:
        assert f"| `{field.ir_name}` |" in text


@every_operation
def test_every_operation_has_an_example_that_works(op_class: type[TileOp]) -> None:
    text = example_module(op_class.op_kind)
    shown = example(op_class.op_kind)
    assert text is not None
    assert shown is not None
    assert f'"{op_class.op_kind.name}"(' in shown.splitlines()[0]
    module = parse_module(CONTEXT, text)
    assert verify(module) == []
    reparsed(module)
    assert module.print() == parse_module(CONTEXT, module.print()).print()
    for entry in entries(module):
        assert Launchpad(entry).run(module).problem is None


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("addf", "# `cuda_tile.addf`"),
        ("cuda_tile.addf", "# `cuda_tile.addf`"),
        ("fpowf", "# `cuda_tile.pow`"),
        ("cuda_tile.print", "# `cuda_tile.print_tko`"),
        ("tile", "# `!cuda_tile.tile`"),
        ("!cuda_tile.partition_view", "# `!cuda_tile.partition_view`"),
        ("rounding", "# `#cuda_tile.rounding`"),
        ("#cuda_tile.div_by", "# `#cuda_tile.div_by`"),
        ("bf16", "# `bf16`"),
        ("f8E8M0FNU", "# `f8E8M0FNU`"),
        ("TW0101", "# TW0101: operation breaks one of its rules"),
        ("tw0002", "# TW0002: unknown name"),
    ],
)
def test_names_are_found(name: str, title: str) -> None:
    text = explain(name)
    assert text is not None
    assert text.partition("\n")[0] == title


@pytest.mark.parametrize(
    ("name", "close"),
    [("adf", "addf"), ("cuda_tile.adddf", "cuda_tile.addf"), ("roundin", "rounding"), ("TW0100", "TW0101")],
)
def test_misspelt_names_get_suggestions(name: str, close: str) -> None:
    assert explain(name) is None
    assert close in suggestions(name)


def test_nonsense_gets_none() -> None:
    assert explain("qqqqqqqq") is None
    assert suggestions("qqqqqqqq") == []


def test_types_attributes_elements_and_codes_are_explained() -> None:
    for short in (*CUDA_TILE.types, *CUDA_TILE.attributes, *element_types(), *codes()):
        assert explain(short) is not None, short


def test_all_code_modules_are_known() -> None:
    assert {module_name(path) for path in python_files("src") if path.name == "codes.py"} == set(CODE_MODULES)


def test_writing_removes_what_is_stale(tmp_path: Path) -> None:
    folder = tmp_path
    (folder / "old.md").write_text("gone")
    assert main([str(folder)]) == 0
    assert not (folder / "old.md").exists()
    assert write_pages(folder) == []
    assert main([]) == 2


def test_explaining_needs_no_numerics() -> None:
    program = (
        "import sys, tilewright.reference as r; r.explain('addf'); r.pages();"
        "print(*sorted({'numpy', 'ml_dtypes', 'hypothesis'} & sys.modules.keys()))"
    )
    assert run_python(program).strip() == ""
