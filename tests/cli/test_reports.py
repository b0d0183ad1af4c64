"""Every report in JSON is as its schema says, with no key that is not declared; SARIF is as its standard says."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cuda.tile")
pytest.importorskip("elftools")
pytest.importorskip("capstone")

from tests.cli.test_commands import Answer, tilewright
from tests.cli.test_json_option import commands
from tests.golden import compare
from tests.house.tree import ROOT
from tests.lowering.schedule.loops import PRODUCTS
from tests.support.sarif import LOG
from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_program import SMALL, Program
from tests.support.synthetic.synthetic_sass import assembler, disassembler
from tilewright.cli.report_shapes import Claim
from tilewright.inspect.findings import KINDS
from tools.report_schema import REPORTS, of_command, page, schema

__all__ = ["tilewright"]

jsonschema: Any = pytest.importorskip("jsonschema")
Command = Callable[..., Answer]
DATA = ROOT / "tests" / "house" / "data"
KERNEL, PRODUCT, PTX = (
    str(DATA / "kernel.mlir"),
    str(DATA / "product.mlir"),
    ROOT / "tests" / "ptxsim" / "data",
)
REFERENCE = ROOT / "docs" / "reference"
PROGRAM = """
import cuda.tile as ct, numpy as np

@ct.kernel
def last_one_wins(out):
    ct.store(out, 0, ct.full((1,), ct.bid(0), ct.int32))

for _ in range(2):
    ct.launch(None, (4,), last_one_wins, (np.zeros(1, np.int32),))
"""


def fulfils(name: str, report: Any) -> None:
    """Check the report of a command against the schema without further keys."""
    jsonschema.Draft202012Validator(of_command(name, closed=True)).validate(report)


@pytest.fixture(name="report")
def checked_report(tilewright: Command) -> Callable[..., Any]:
    """Runs a command with ``--json``, checks what it prints, and returns it."""

    def run(name: str, *words: str, status: int = 0) -> Any:
        found = tilewright(*name.split(), *words, "--json")
        assert found.status == status, found.err
        fulfils(name, json.loads(found.out))
        return json.loads(found.out)

    return run


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", f"{tmp_path}/cache")
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "1M")


def test_every_report_is_declared() -> None:
    names = {
        name for name, command in commands() if any("--json" in option.opts for option in command.params)
    }
    assert names == REPORTS.keys()


def test_the_schema_and_its_page_are_those_of_the_reference(bless: bool) -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    text = json.dumps(schema(), indent=2) + "\n"
    compare(REFERENCE / "reports.schema.json", text, bless=bless)
    compare(Path(str(resources.files("tilewright.cli") / "reports.schema.json")), text, bless=bless)
    compare(REFERENCE / "reports.md", page(), bless=bless)


def test_further_keys_are_allowed_for_programs_only() -> None:
    given = {"name": "addf", "page": "", "since": 1}
    jsonschema.validate(given, of_command("explain"))
    with pytest.raises(jsonschema.ValidationError):
        fulfils("explain", given)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"name": "addf"}, of_command("explain"))


def test_run(report: Callable[..., Any], tilewright: Command, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    status, out, _ = tilewright("run", "--json", "--target=interp", "--check=racecheck", str(program))
    assert status == 1
    fulfils("run", json.loads(out))
    (found,) = json.loads(out)["findings"]
    assert (found["repeats"], found["notes"][0]["line"], json.loads(out)["kernels"]) == (
        1,
        6,
        {"last_one_wins": 2},
    )
    target = f"{tmp_path}/out.npy"
    made = report("run", KERNEL, "--target=interp", "--arg", f"ones(4, f32):{target}", "--arg", "2.0")
    assert made["results"] == [{"file": target, "shape": [4], "dtype": "float32"}]
    report("run", KERNEL, "--target=interp", "--check=all", "--arg", "ones(1, f32)", "--arg", "2.0", status=1)


def test_modules(report: Callable[..., Any], tmp_path: Path) -> None:
    broken = tmp_path / "broken.mlir"
    broken.write_text((DATA / "kernel.mlir").read_text().replace("cuda_tile.return", "cuda_tile.retrun"))
    assert report("verify", KERNEL, str(broken), status=1)["inputs"][1]["diagnostics"]
    assert report("diff", KERNEL, PRODUCT, status=1)["changes"]
    folder = str(tmp_path / "built")
    assert report("compile", KERNEL, str(broken), "-o", folder, "--emit=tileaa", status=1)["files"][0][
        "outputs"
    ]


def test_this_installation(report: Callable[..., Any]) -> None:
    assert report("doctor")["targets"]
    assert report("explain", "addf")["page"]
    assert report("registry")
    assert report("abi list")


def test_the_cache(report: Callable[..., Any], tilewright: Command, tmp_path: Path) -> None:
    assert tilewright("run", KERNEL, "--arg", "ones(4, f32)", "--arg", "2.0").status == 0
    records = report("cache ls")
    assert ["scale"] in [one["kernels"] for one in records]
    assert report("cache verify")["records"] == len(records)
    assert report("cache prune")["bytes_removed"] == 0
    assert report("cache clear")["bytes_removed"] > 0


def test_binaries(report: Callable[..., Any], tmp_path: Path) -> None:
    program, binary = tmp_path / "program", tmp_path / "k.cubin"
    program.write_bytes(Program(figures=SMALL).executable())
    binary.write_bytes(cubin())
    assembler(tmp_path / "ptxas")
    disassembler(tmp_path / "nvdisasm")
    found = report("inspect", str(program))
    assert set(KINDS.values()) <= found.keys()
    assert Claim.__required_keys__ <= found["dialects"][0].keys()
    assert report("inspect", str(binary))["kernels"]
    words = (str(binary), "--disassembler", f"{tmp_path}/nvdisasm")
    assert report("sass", *words, "--against", str(binary))["against"]["kernels"][0]["code"]["loops"]
    made = report("ptx assemble", str(PTX / "scale.ptx"), "--assembler", f"{tmp_path}/ptxas")
    assert made["kernels"]


def test_simulations_and_layouts(report: Callable[..., Any], tmp_path: Path) -> None:
    words = ("--arg", "ones(32, f32)", "--arg", "2.0")
    assert report("sim", str(PTX / "scale.ptx"), *words)["blocks"] == 1
    expressions = ("(4,8):(1,4)", "S<3,4,3>", "mma.m16n8k16.A.f16", "S<3,4,3> o 0 o (8,64):(64,1)", "(4,8)")
    assert {report("layout", one)["kind"] for one in expressions} >= {"layout", "swizzle", "linear layout"}
    assert report("layout", KERNEL)["kind"] == "kernel"
    path = tmp_path / "products.mlir"
    path.write_text(PRODUCTS, encoding="utf-8")
    assert report("schedule", str(path))["loops"]


def test_sarif_is_as_its_standard_says(tilewright: Command, tmp_path: Path) -> None:
    program, broken, binary = (tmp_path / name for name in ("program.py", "broken.mlir", "binary.tileirbc"))
    program.write_text(PROGRAM)
    broken.write_text("module {\n  %0 = foo.bar\n}\n")
    binary.write_bytes(b"\x7fTileIR\x00\xff")
    checked = ("run", "--output-format=sarif", "--target=interp", "--check=racecheck", str(program))
    for words in (checked, ("verify", "--output-format=sarif", KERNEL, str(broken), str(binary))):
        status, out, _ = tilewright(*words)
        assert status == 1
        jsonschema.Draft202012Validator(LOG).validate(json.loads(out))
        assert json.loads(out)["runs"][0]["results"]
