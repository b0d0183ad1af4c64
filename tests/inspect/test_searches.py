"""Single searches: class names, short functions, tables, pools, hash tables, with examples and laws."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")
pytest.importorskip("capstone")

from hypothesis import given, settings, strategies as st

from tests.support.synthetic.x86_code import Code
from tilewright.abi.hash_tables import PointerTable
from tilewright.abi.layouts.containers import DENSE_MAP
from tilewright.abi.pools import build
from tilewright.inspect.arrays import octets
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage
from tilewright.inspect.code.bodies import BodyKind, body_at
from tilewright.inspect.code.scan import CodeScan
from tilewright.inspect.code.sites import mask_sites
from tilewright.inspect.findings import BinaryFinding, Evidence, combined
from tilewright.inspect.names.string_pools import MINIMUM_RUN, string_pools
from tilewright.inspect.names.type_names import Text, type_name
from tilewright.inspect.tables.hash_tables import dense_tables
from tilewright.inspect.tables.vtables import find_banks, find_tables

CODE, DATA = 0x1000, 0x100000


def memory(code: bytes = b"", data: bytes = b"") -> ProgramImage:
    regions = (
        MemoryRegion("code", CODE, len(code), octets(code), executable=True),
        MemoryRegion("data", DATA, len(data), octets(data), writable=True),
    )
    return ProgramImage("x", "raw image", "x86-64", regions)


def words(*values: int) -> bytes:
    return b"".join((value & (1 << 64) - 1).to_bytes(8, "little") for value in values)


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("mlir::FunctionOpInterface]", "mlir::FunctionOpInterface", "interface"),
        ("f() [with DesiredTypeName = mlir::arith::AddFOp]", "mlir::arith::AddFOp", "operation class"),
        ("f() [DesiredTypeName = mlir::gpu::GPUDialect]", "mlir::gpu::GPUDialect", "dialect class"),
        ("f(F*) [with To = mlir::XAttr; From = mlir::Attribute]", "mlir::XAttr", "attribute"),
        ("(anonymous namespace)::FooPattern]", "(anonymous namespace)::FooPattern", "pattern"),
        ("{anonymous}::A<mlir::B, mlir::C<int> >]", "{anonymous}::A<mlir::B, mlir::C<int> >", None),
        ("mlir::OpTrait::Impl<mlir::TypeID::get<mlir::X>()::Empty>]", None, None),
    ],
)
def test_class_names(text: str, name: str | None, kind: str | None) -> None:
    found = type_name(Text(DATA, text))
    if name is None:
        assert found is None or found.kind is None
        return
    assert found is not None
    assert (found.name, found.kind) == (name, kind)
    assert text[found.address - DATA :].startswith(name)


@pytest.mark.parametrize("text", ["]", "x]", "std::string]", "mlir::]", "mlir::A<B]", "a b::C]", "mlir::A"])
def test_what_is_no_class_name(text: str) -> None:
    assert type_name(Text(DATA, text)) is None


@pytest.mark.parametrize("pad", ["", "f30f1efa"])
@pytest.mark.parametrize(
    ("code", "body", "number"),
    [
        ("c3", BodyKind.EMPTY, 0),
        ("f3c3", BodyKind.EMPTY, 0),
        ("31c0c3", BodyKind.CONSTANT, 0),
        ("b807000000c3", BodyKind.CONSTANT, 7),
        ("b001c3", BodyKind.CONSTANT, 1),
        ("488b4728488b5730c3", BodyKind.FIELD_STRING, 0x28),
        ("488b5748488b4740c3", BodyKind.FIELD_STRING, 0x40),
        ("488b4728488b5738c3", BodyKind.OTHER, 0),
        ("554889e5", BodyKind.OTHER, 0),
    ],
)
def test_short_functions(pad: str, code: str, body: BodyKind, number: int) -> None:
    found = body_at(memory(bytes.fromhex(pad + code).ljust(40, b"\xcc")), CODE)
    assert (found.kind, found.number) == (body, number)


def test_functions_that_return_a_string() -> None:
    first = Code(CODE).lea("rax", DATA + 3).move("rdx", 5).ret()
    second = Code(CODE).move("rdx", 5).lea("rax", DATA + 3).ret()
    longer = Code(CODE).lea("rax", DATA + 3).move("rdx", 50).ret()
    for code, text in ((first, "hello"), (second, "hello"), (longer, "")):
        assert body_at(memory(bytes(code.bytes), b"\1\2\3hello\0"), CODE).text == text


@pytest.mark.parametrize("code", ["f30f1efa", "b8", "b807000000", "488d0500000000", "ba05000000", "488b4728"])
def test_a_function_that_its_region_cuts_off(code: str) -> None:
    assert body_at(memory(bytes.fromhex(code)), CODE).kind is BodyKind.OTHER


def test_a_function_outside_of_memory_is_unknown() -> None:
    assert body_at(memory(b"\xc3"), 0x50).kind is BodyKind.UNKNOWN
    assert body_at(memory(b"\xc3", b"\xc3"), DATA).kind is BodyKind.UNKNOWN


@given(st.lists(st.integers(1, 12), min_size=1, max_size=12))
def test_tables_are_found_with_their_sizes(sizes: list[int]) -> None:
    data = b"".join(words(0, 0, *[CODE + slot for slot in range(size)]) for size in sizes)
    tables = find_tables(memory(bytes(64), data + words(5)))
    assert tables.slots.tolist() == sizes
    assert all(tables.plain)


def test_banks_are_tables_of_one_size_side_by_side() -> None:
    sizes = (3, 5, 5, 5, 5, 8, 8, 3, 3, 3)
    rows = [
        words(0, 0, CODE + 1, *[CODE + 8 * n + slot for slot in range(size - 1)])
        for n, size in enumerate(sizes)
    ]
    banks = find_banks(find_tables(memory(bytes(256), b"".join(rows) + words(5))))
    assert [(bank.count, bank.slots, bank.stride) for bank in banks] == [(4, 5, 0x38), (3, 3, 0x28)]
    assert all(bank.invariant == {0: CODE + 1} for bank in banks)


TEXT = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=30)


@settings(deadline=None)
@given(st.lists(TEXT, min_size=8, max_size=60), st.integers(0, 600), st.binary(max_size=40))
def test_pools_are_found_wherever_they_lie(entries: list[str], before: int, behind: bytes) -> None:
    encrypted, _ = build([entry.encode() for entry in entries])
    data = bytes(before) + encrypted + bytes(8) + behind
    pools = string_pools(memory(b"", data))
    if len(encrypted) >= MINIMUM_RUN:
        assert [(pool.address, pool.size) for pool in pools][:1] == [(DATA + before, len(encrypted))]
        assert pools[0].strings == tuple(entries)


@pytest.mark.parametrize("last", [b"x" * 15, b"x" * 14, b"x" * 16])
def test_zeros_behind_a_pool_that_ends_with_a_period_of_the_key(last: bytes) -> None:
    encrypted, _ = build([b"x" * 15] * 15 + [last])
    (pool,) = string_pools(memory(b"", encrypted + bytes(8)))
    assert pool.size == len(encrypted)


@settings(deadline=None)
@given(st.lists(TEXT, min_size=30, max_size=60))
def test_plain_text_is_no_pool(entries: list[str]) -> None:
    assert string_pools(memory(b"", b"\0".join(entry.encode() for entry in entries) + b"\0")) == []


@settings(deadline=None)
@given(st.binary(max_size=3000))
def test_random_bytes_are_no_pool(data: bytes) -> None:
    assert string_pools(memory(b"", data)) == []


@settings(deadline=None)
@given(
    st.lists(st.integers(1, 1 << 20), max_size=60, unique=True),
    st.integers(0, 10),
    st.sampled_from((16, 40, 48, 72)),
)
def test_dense_tables_are_found_with_their_counts(keys: list[int], removed: int, size: int) -> None:
    table = PointerTable.empty(64)
    for key in keys:
        table.insert(0x10000 + 16 * key, 1)
    for key in keys[:removed]:
        table.erase(0x10000 + 16 * key)
    body = b"".join(key.to_bytes(8, "little") + bytes(size - 8) for key in table.keys)
    head = DENSE_MAP.encode(
        buckets=DATA, live=table.live, tombstones=table.tombstones, bucket_count=table.buckets
    )
    found = dense_tables(memory(b"", body + head))
    assert [(f.head, f.buckets, f.live, f.tombstones) for f in found] == [
        (DATA + len(body), table.buckets, table.live, table.tombstones)
    ]
    if table.live:
        assert (found[0].placed, found[0].bucket_size) == (table.live, size)


@pytest.mark.parametrize("register", ["rax", "rcx", "rdx", "rsi"])
@pytest.mark.parametrize("filler", ["", "90", "4889fb", "0f1f4000"])
def test_mask_sites(register: str, filler: str) -> None:
    code = Code(CODE).raw("5553").load_field(register, "rdi", 0x28).raw(filler)
    place = code.here
    code.mask(register, 0x7FFFFFF).raw("5b5dc3").raw("cc" * 40)
    (site,) = mask_sites(memory(bytes(code.bytes)))
    assert site.mask.address == place
    assert "0x28]" in site.load.operands


def test_calls_go_through_the_linkage_table() -> None:
    """The stub at 0x1010 jumps through the word at DATA, which holds 0x1030."""
    stub = Code(CODE + 0x10).raw("ff25").raw((DATA - (CODE + 0x16)).to_bytes(4, "little").hex())
    code = bytearray(b"\xcc" * 0x80)
    code[: len(Code(CODE).call(CODE + 0x10).bytes)] = Code(CODE).call(CODE + 0x10).bytes
    code[0x10:0x16] = stub.bytes
    scan = CodeScan(memory(bytes(code), words(CODE + 0x30)))
    sites, callees = scan.calls
    assert (sites.tolist(), callees.tolist()) == ([CODE], [CODE + 0x30])
    assert scan.mentions(CODE + 0x30) == [CODE]


def test_nothing_is_claimed_without_evidence() -> None:
    with pytest.raises(ValueError, match="without evidence"):
        BinaryFinding("dialect", "arith", None, (), 0.9)
    with pytest.raises(ValueError, match="unknown kind"):
        BinaryFinding("ghost", "x", None, (Evidence("seen"),), 0.9)
    with pytest.raises(ValueError, match="confidence"):
        BinaryFinding("dialect", "x", None, (Evidence("seen"),), 0.0)


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=6))
def test_more_evidence_is_never_less_certain(confidences: list[float]) -> None:
    assert combined(*confidences) >= min(max(confidences), 0.99) - 1e-3
    assert combined(*confidences) <= 0.99
