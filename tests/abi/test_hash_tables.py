"""Hash tables, pools and interning keys: worked vectors, and tables against dictionaries."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tilewright.abi import hash_tables as h, pools
from tilewright.abi.image.uniquer import blake3_prefix, hash_tuples, interning_key
from tilewright.ir.diagnostic import DiagnosticError


class TestVectors:
    @pytest.mark.parametrize(
        ("pointer", "hashed", "buckets", "at"),
        [(0x5B38BC0, 0x59E179, 64, 57), (0x5B38BC0, 0x59E179, 128, 121), (0x5BE6138, 0x593923, 64, 35)],
    )
    def test_pointer_hash(self, pointer: int, hashed: int, buckets: int, at: int) -> None:
        assert h.pointer_hash(pointer) == h.llvm_pointer_hash(pointer) == hashed
        assert next(h.probe(hashed, buckets)) == at

    @pytest.mark.parametrize(
        ("value", "mixed"),
        [
            (0, 0),
            (1, 0xB456BCFC34C2CB2C),
            (0x1000, 0xC980945B89619D73),
            (0x5B38BC0, 0xD5053E8A914FFD95),
        ],
    )
    def test_fmix64(self, value: int, mixed: int) -> None:
        assert h.fmix64(value) == mixed

    def test_parts_of_a_hash(self) -> None:
        hashed = h.fmix64(0x5B38BC0)
        assert (h.h2(hashed), h.h1(hashed)) == (0x15, 0x1AA0A7D15229FFB)

    @pytest.mark.parametrize(
        ("value", "hashed"),
        [(0, 0xB2B24F688DC4164D), (1, 0x792E33EB068557DE), (0x1000, 0xD7C573EDE73E2A1E)],
    )
    def test_llvm_hash_value(self, value: int, hashed: int) -> None:
        assert h.llvm_hash_value(value) == hashed

    def test_the_subtracted_constant_is_the_seed(self) -> None:
        assert -0xAE502812AA7333 & h.MASK64 == h.HASH_SEED

    def test_growth(self) -> None:
        assert [h.grown(n) for n in (0, 64, 128)] == [64, 128, 256]
        assert h.next_power_of_two(0xFFFFFFFF) == 0
        assert h.resized(64, 46, 0) is None
        assert h.resized(64, 47, 0) == 128
        assert h.resized(64, 10, 45) == 64

    def test_blake3(self) -> None:
        pytest.importorskip("blake3")
        assert blake3_prefix(b"").hex().upper() == "AF1349B9F5F9A1A6"
        assert blake3_prefix(b"abc").hex().upper() == "6437B3AC38465133"
        assert interning_key(0x1000, 1, 2) == 0x1954FFF33C1CD616
        assert interning_key(0x1000, 1, 2).to_bytes(8, "little").hex().upper() == "16D61C3CF3FF5419"
        assert interning_key(0, 0, 0) == 0x0B700423F8DF72E5
        assert hash_tuples([(0, 0, 0), (0, 0, 0)]) != hash_tuples([(0, 0, 0)])
        assert interning_key(0, -1, 0) == interning_key(0, 0xFFFFFFFF, 0)

    def test_without_blake3(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "blake3", None)
        with pytest.raises(DiagnosticError, match=r"(?s)TW1004.*pip install"):
            interning_key(0, 0, 0)


KEYS = st.integers(1, 1 << 12).map(lambda n: n * 16)
STEPS = st.lists(st.tuples(st.sampled_from(("insert", "erase")), KEYS, st.integers(0, 1 << 63)), max_size=300)


@given(STEPS, st.sampled_from([h.pointer_hash, h.llvm_hash_value, h.llvm_pointer_hash]))
def test_pointer_tables_are_dictionaries(steps: list[tuple[str, int, int]], hash: object) -> None:
    assert callable(hash)
    table, model = h.PointerTable.empty(hash=hash), dict[int, int]()
    for what, key, value in steps:
        if what == "insert":
            table.insert(key, value)
            model[key] = value
        else:
            assert table.erase(key) is (model.pop(key, None) is not None)
        assert table.live == len(model)
        assert table.buckets in (0, *(1 << n for n in range(6, 20)))
        assert table.keys.count(h.TOMBSTONE) == table.tombstones
        assert 4 * table.live < 3 * table.buckets or not table.buckets
    assert table.items() == sorted(model.items())
    assert all(table.find(key) == value for key, value in model.items())


@given(STEPS)
def test_swiss_tables_are_dictionaries(steps: list[tuple[str, int, int]]) -> None:
    table, model = h.SwissTable(), dict[int, int]()
    for what, key, value in steps:
        if what == "insert":
            table.insert(key, value)
            model[key] = value
        else:
            assert table.erase(key) is (model.pop(key, None) is not None)
    assert table.items() == sorted(model.items())
    assert table.live == len(model)
    assert table.find(7) is None
    control = table.control_bytes()
    assert control[-1] == h.CONTROL_END
    assert sum(byte < h.CONTROL_EMPTY for byte in control[:-1]) == len(model)
    assert len(control) % h.GROUP_WIDTH == 1


@given(st.integers(0, h.MASK64), st.integers(0, 8))
def test_a_probe_reaches_every_slot(hashed: int, power: int) -> None:
    assert sorted(h.probe(hashed, 1 << power)) == list(range(1 << power))


def test_reserved_keys_are_refused() -> None:
    for key in (h.EMPTY, h.TOMBSTONE):
        with pytest.raises(ValueError, match="reserved"):
            h.PointerTable.empty().insert(key, 1)


class TestPools:
    @pytest.mark.parametrize(
        ("plain", "hidden"), [(b"},\n\t\t\0", "7D2F0C00050F"), (b"%Depot\0", "25476379637B12")]
    )
    def test_vectors(self, plain: bytes, hidden: str) -> None:
        assert pools.xor3(plain).hex().upper() == hidden
        assert pools.xor3(bytes.fromhex(hidden)) == plain

    def test_the_key_visits_every_value_once(self) -> None:
        assert sorted(pools.KEY) == list(range(256))
        assert pools.KEY[85:88] == bytes([255, 2, 5])

    @given(st.binary(max_size=1000), st.integers(0, 1000))
    def test_it_undoes_itself_from_any_position(self, data: bytes, position: int) -> None:
        assert pools.xor3(pools.xor3(data, position), position) == data
        whole = pools.xor3(bytes(position) + data)
        assert whole[position:] == pools.xor3(data, position)
        assert pools.xor3(data) == bytes(b ^ (3 * i & 0xFF) for i, b in enumerate(data))

    @given(st.lists(st.binary(max_size=20).filter(lambda b: b"\0" not in b)))
    def test_pools_are_read_back(self, entries: list[bytes]) -> None:
        encrypted, offsets = pools.build(entries)
        found = {text: offset for offset, text in pools.strings(pools.xor3(encrypted))}
        assert set(found) == set(entries)
        assert offsets.keys() == found.keys()

    def test_a_terminator_inside_is_refused(self) -> None:
        with pytest.raises(ValueError, match="terminator"):
            pools.build([b"a\0b"])

    def test_mnemonics(self) -> None:
        text, offsets = pools.build([b"add.f32 \t", b"ret;"])
        pool = pools.MnemonicPool(
            pools.xor3(text), (0, offsets[b"ret;"] + 1 | 5 << 17, 1 << 17, 500), (0, 9, 1, 0)
        )
        assert [pool.mnemonic(opcode) for opcode in range(3)] == [None, b"ret;", None]
        with pytest.raises(IndexError, match="outside the pool"):
            pool.mnemonic(3)

    def test_registers(self) -> None:
        text, offsets = pools.build([b"%Depot", b"%SP"])
        pool = pools.RegisterPool(pools.xor3(text), tuple(offsets.values()))
        assert [pool.name(n) for n in (1, 2, 1 << 28 | 7, 4 << 28 | 3)] == ["%Depot", "%SP", "%p7", "%rd3"]
        for wrong in (0, 3, 8 << 28):
            with pytest.raises(IndexError):
                pool.name(wrong)
