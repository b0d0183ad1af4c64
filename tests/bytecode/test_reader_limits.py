"""Files that would cost far more than their size, were it not for the limits."""

from __future__ import annotations

import tracemalloc

import pytest

from tests.support.invalid.malformed_bodies import F32X4, I1, I32X4, body_module, constant
from tests.support.invalid.malformed_container import BASE
from tests.support.invalid.malformed_tables import DEBUG_GOOD, constant_module, debug_section, located
from tests.support.synthetic.assembler import (
    RETURN,
    STRING,
    TYPE,
    Function,
    operation,
    table,
    varint,
    varints,
)
from tilewright.bytecode import read_bytecode
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, render
from tilewright.ir.text.printer import PrintOptions, operation_text

CONTEXT = Context([CUDA_TILE])


def _refused(data: bytes) -> str:
    with pytest.raises(DiagnosticError) as caught:
        read_bytecode(data, CONTEXT)
    return str(caught.value)


def _peak(data: bytes) -> int:
    tracemalloc.start()
    try:
        read_bytecode(data, CONTEXT, verify=False)
    except DiagnosticError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak


def test_doubling_types() -> None:
    """2^40 types when written out: each function type takes the next one twice."""
    types = [b"\x10\x02" + varints(i + 1, i + 1) + b"\x00" for i in range(40)]
    assert "is made of more than 65536 others" in _refused(BASE.with_(types=(*types, b"\x03")).assemble())


@pytest.mark.parametrize("count", [200, 4000])
def test_nesting_types(count: int) -> None:
    types = [b"\x10\x01" + varint(i + 1) + b"\x00" for i in range(count)]
    assert "types nest deeper than 100 levels" in _refused(BASE.with_(types=(*types, b"\x03")).assemble())


def test_nesting_types_that_are_already_known() -> None:
    """Decoded from the inside outwards, so that no decoding nests."""
    types = [b"\x10\x00\x00", b"\x03", *(b"\x10\x01" + varint(i + 1) + b"\x00" for i in range(300))]
    body = b"".join(operation(0x44, 2 + i) for i in range(300)) + RETURN
    text = _refused(BASE.with_(types=types, functions=(Function(body=body),)).assemble())
    assert "types nest deeper than 100 levels" in text


def test_nesting_attributes() -> None:
    reduce = operation(0x58, 1, 11, 0) + b"\x01" + b"\x06\x01" * 5000
    assert "attributes nest deeper than 100" in _refused(body_module(constant(F32X4) + reduce).assemble())


def test_doubling_call_sites() -> None:
    sites = [b"\x06" + varints(4 + i, 4 + i) for i in range(40)]
    made = located(debug_section([*DEBUG_GOOD, *sites], [4, 44]))
    assert "is made of more than 32768 others" in _refused(made.assemble())


def _calls(count: int, *, callees: bool = False) -> bytes:
    """Calls in each other: each the caller of the next, or its callee."""
    sites = [b"\x06" + (varints(4 + i, 4) if callees else varints(4, 4 + i)) for i in range(count)]
    return located(debug_section([*DEBUG_GOOD, *sites], [4, 4 + count])).assemble()


def test_a_deep_recursion_is_read_and_printed() -> None:
    module = read_bytecode(_calls(2000), CONTEXT)
    (location,) = {op.location for op in module.walk() if len(op.location.callers) == 2000}
    assert str(location).count("callsite(") == 2000
    assert operation_text(module, PrintOptions(debug_info=True)).count("callsite(") == 2000
    text = render(Diagnostic(Severity.ERROR, "wrong", location))
    assert text.count("called from here") == 16
    assert "note: 1984 more calls are not shown" in text


def test_call_sites_without_end() -> None:
    assert "is made of more than 32768 others" in _refused(_calls(20_000))
    assert "nest deeper than 100 levels" in _refused(_calls(2000, callees=True))


def test_strings_that_overlap() -> None:
    """A thousand strings of 64 KiB in 68 KiB."""
    count, size = 1000, 1 << 16
    payload = table([b"k", bytes(size)], 4, count=2 * count, starts=[i % 2 for i in range(2 * count)])
    body = constant(I1, 1) + b"".join(operation(0x05, 2 * i + 1, 0) for i in range(count)) + RETURN
    data = body_module(body).with_(payloads={STRING: payload}).assemble()
    assert "too many strings share the same bytes" in _refused(data)
    assert _peak(data) < 40 * len(data)


def test_types_that_overlap() -> None:
    """A thousand function types with ten thousand parameters each, in the same bytes."""
    count, size = 1000, 10_000
    entry = b"\x10" + varint(size) + varint(2 * count) * size + b"\x00"
    starts = [(i % 2) * len(entry) for i in range(2 * count)]
    payload = table([entry, b"\x03"], 4, count=2 * count, starts=starts)
    body = b"".join(operation(0x44, 2 * i) for i in range(count)) + RETURN
    data = BASE.with_(payloads={TYPE: payload}, functions=(Function(body=body, signature=0),)).assemble()
    assert _peak(data) < 60 * len(data)


@pytest.mark.parametrize("count", [2**20, 2**32 - 2, 2**62])
@pytest.mark.parametrize("what", ["permutation", "extents", "array", "operands", "functions", "constants"])
def test_counts_allocate_nothing(what: str, count: int) -> None:
    huge = varint(count)
    ints = constant(I32X4)
    made = {
        "permutation": lambda: body_module(ints + operation(0x53, I32X4) + huge),
        "extents": lambda: BASE.with_(types=(b"\x10\x01\x01\x00", b"\x0d\x02" + huge, b"\x03")),
        "array": lambda: body_module(ints + operation(0x06, I32X4) + b"\x06" + huge),
        "operands": lambda: body_module(operation(0x5C, 0) + huge),
        "functions": lambda: BASE.with_(payloads={2: huge}),
        "constants": lambda: BASE.with_(payloads={4: huge}),
    }[what]().assemble()
    read_bytecode(BASE.assemble(), CONTEXT)
    assert _refused(made)
    assert _peak(made) < 1 << 18


def test_large_constants_cost_their_size() -> None:
    data = constant_module(bytes(1 << 20), element=1, dims=(1 << 20,)).assemble()
    assert _peak(data) < 4 * len(data)
    packed = constant_module(bytes(range(256)) * 512, element=0, dims=(1 << 20,)).assemble()
    assert _peak(packed) < 40 * len(packed)


def test_splat_of_the_largest_tile() -> None:
    assert _peak(constant_module(bytes(4), dims=(1 << 24,)).assemble()) < 1 << 18
