"""A synthetic stripped program is read back: everything that is in it, and nothing that only looks like it."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")
pytest.importorskip("capstone")

from collections import Counter
from functools import cache

from tests.support.synthetic import synthetic_constructors
from tests.support.synthetic.synthetic_program import (
    CLUSTER,
    CONVERSION_TABLES,
    REWRITE_TABLES,
    Program,
    Truth,
)
from tilewright.abi.table_shapes import ARITH_CLUSTER_TABLES
from tilewright.inspect.analysis import Inspection, inspect_image
from tilewright.inspect.arrays import octets
from tilewright.inspect.binary.loader import load, raw_image
from tilewright.inspect.findings import KINDS

FORMS = ("executable", "no sections", "library", "core")


@cache
def program() -> Program:
    return Program()


@cache
def inspection(form: str) -> Inspection:
    made = program()
    files = {
        "executable": made.executable,
        "no sections": lambda: made.executable(sections=False),
        "library": made.library,
        "core": made.core,
    }
    return inspect_image(load(octets(files[form]()), form))


@pytest.fixture(params=FORMS)
def found(request: pytest.FixtureRequest) -> Inspection:
    return inspection(request.param)


@pytest.fixture(scope="module")
def truth() -> Truth:
    return program().truth


def addresses(found: Inspection, kind: str) -> list[int | None]:
    return sorted(finding.address or 0 for finding in found.of_kind(kind))


def test_the_program_holds_the_figures_of_the_notes(truth: Truth) -> None:
    assert (len(truth.conversion), len(truth.rewrite)) == (712, 235) == (CONVERSION_TABLES, REWRITE_TABLES)
    assert (len(truth.constructors), len(truth.referenced)) == (653, 49)
    assert CLUSTER == ARITH_CLUSTER_TABLES == 43
    assert truth.cluster[1] - truth.cluster[0] == 42 * 0x50
    assert set(truth.objects.values()) == {"A", "B", "C", "D"}


def test_tables_of_conversion_patterns(found: Inspection, truth: Truth) -> None:
    assert addresses(found, "conversion pattern table") == sorted(truth.conversion)


def test_tables_of_rewrite_patterns(found: Inspection, truth: Truth) -> None:
    assert addresses(found, "rewrite pattern table") == sorted(truth.rewrite)


def test_the_cluster(found: Inspection, truth: Truth) -> None:
    (bank,) = [bank for bank in found.of_kind("table bank") if bank.details["count"] == CLUSTER]
    assert (bank.address, bank.details["last"]) == truth.cluster
    assert (bank.details["stride"], bank.details["slots"], bank.details["class"]) == (
        0x50,
        8,
        "conversion pattern",
    )
    assert {2, 3} <= set(bank.details["invariant slots"])


def test_banks_are_of_known_tables(found: Inspection, truth: Truth) -> None:
    for bank in found.of_kind("table bank"):
        members = {bank.address + bank.details["stride"] * n for n in range(bank.details["count"])}
        known = truth.conversion if bank.details["slots"] == 8 else truth.rewrite
        assert members <= known | set(truth.pass_models)


def test_pass_models_and_passes(found: Inspection, truth: Truth) -> None:
    models = {finding.address: finding.name for finding in found.of_kind("pass model table")}
    assert models == truth.pass_models
    assert {finding.name: finding.address for finding in found.of_kind("pass")} == truth.passes


def test_the_table_of_constructors(found: Inspection, truth: Truth) -> None:
    (table,) = found.of_kind("constructor table")
    assert table.address == truth.constructor_table
    assert (table.details["entries"], table.details["referenced"]) == (653, 49)


def test_roles_of_constructors(found: Inspection, truth: Truth) -> None:
    roles = {f.address: (f.details["role"], f.details["subject"]) for f in found.of_kind("constructor")}
    assert roles == truth.roles
    referenced = {f.address for f in found.of_kind("constructor") if f.details["referenced"]}
    assert referenced == truth.referenced
    counts = Counter(role for address, (role, _) in roles.items() if address in referenced)
    assert counts == synthetic_constructors.COUNTS


def test_constructors_are_numbered_by_their_place(found: Inspection, truth: Truth) -> None:
    for finding in found.of_kind("constructor"):
        assert truth.constructors[finding.details["index"]] == finding.address


def test_pattern_objects(found: Inspection, truth: Truth) -> None:
    shapes = {finding.address: finding.details["shape"] for finding in found.of_kind("pattern object")}
    heap = truth.heap_objects if found.image.format == "core dump" else {}
    assert shapes == truth.objects | heap
    clusters = {(f.address, f.details["stride"], f.details["count"]) for f in found.of_kind("object cluster")}
    assert clusters == {truth.object_cluster}


def test_hash_tables(found: Inspection, truth: Truth) -> None:
    tables = found.of_kind("hash table")
    keys = ("buckets", "bucket_size", "live", "tombstones")
    dense = {f.address: tuple(f.details[k] for k in keys) for f in tables if f.details["family"] == "dense"}
    swiss = {
        f.address: (f.details["groups"], f.details["live"]) for f in tables if f.details["family"] == "swiss"
    }
    assert dense == truth.dense
    assert swiss == truth.swiss


def test_mask_sites_decoders_and_sentinels(found: Inspection, truth: Truth) -> None:
    assert addresses(found, "mask site") == sorted(truth.mask_sites)
    assert addresses(found, "storage decoder") == sorted(truth.decoders)
    assert addresses(found, "sentinel site") == sorted(truth.sentinel_functions)


def test_functions_with_mask_sites_are_counted(found: Inspection) -> None:
    assert {finding.details["functions"] for finding in found.of_kind("mask site")} == {29}


def test_pools(found: Inspection, truth: Truth) -> None:
    pools = {finding.address: finding.details["strings"] for finding in found.of_kind("string pool")}
    assert pools == truth.pools


def test_dialects_and_operations(found: Inspection, truth: Truth) -> None:
    assert {finding.name for finding in found.of_kind("dialect")} == truth.dialects
    assert {finding.name for finding in found.of_kind("operation")} == truth.operations


@pytest.mark.parametrize("kind", ["dialect class", "pass class", "pattern", "attribute", "type", "interface"])
def test_class_names(found: Inspection, truth: Truth, kind: str) -> None:
    assert {finding.name for finding in found.of_kind(kind)} == truth.classes[kind]


def test_everything_has_evidence(found: Inspection) -> None:
    assert all(finding.evidence for finding in found.findings)
    assert {finding.kind for finding in found.findings} <= KINDS.keys()
    assert not found.notes


def test_evidence_lies_in_the_image(found: Inspection) -> None:
    places = [e.address for finding in found.findings for e in finding.evidence if e.address is not None]
    assert [hex(address) for address in places if found.image.region_at(address) is None] == []


def test_another_seed_gives_the_same_figures() -> None:
    made = Program(seed=77)
    found = inspect_image(load(octets(made.executable()), "other"))
    assert addresses(found, "conversion pattern table") == sorted(made.truth.conversion)
    assert addresses(found, "rewrite pattern table") == sorted(made.truth.rewrite)
    assert {f.address for f in found.of_kind("string pool")} == set(made.truth.pools)


def test_a_raw_image_is_read_the_same_way(truth: Truth) -> None:
    """Code and data of the program in one piece, without any header."""
    memory = program().memory
    code, data = bytes(memory.code.bytes), bytes(memory.data.bytes)
    flat = bytearray(memory.data.address - memory.code.address) + data
    flat[: len(code)] = code
    at = memory.text.address - memory.code.address
    flat[at : at + len(memory.text.bytes)] = memory.text.bytes
    base, end = memory.code.address, memory.code.address + len(code)
    found = inspect_image(raw_image(octets(bytes(flat)), "raw", base, ((base, end),)))
    assert addresses(found, "conversion pattern table") == sorted(truth.conversion)
    assert {f.address for f in found.of_kind("string pool")} == set(truth.pools)
    assert {finding.name for finding in found.of_kind("dialect")} == truth.dialects
