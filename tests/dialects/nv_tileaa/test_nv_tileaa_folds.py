"""Folds and canonical forms of ``nv_tileaa``: each rule where it holds, and where it must not."""

from __future__ import annotations

import pytest

from tilewright.driver.startup import context
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.passes.manager import PassManager
from tilewright.passes.transforms.canonicalize import Canonicalize

POINTER = "!nv_tileaa.ptr<f32, 1>"
POINTERS = f"tensor<8x{POINTER}>"
TOKEN = "!nv_tileaa.mem_token"
MEMORY = "!nv_tileaa.memref<?x64xf32, strides = [64, 1]>"
TRUE = '%m = "nv_tileaa.splat"() <{value = true}> : () -> tensor<8xi1>\n'
FALSE = '%m = "arith.constant"() <{value = dense<false> : tensor<8xi1>}> : () -> tensor<8xi1>\n'
ARGUMENTS = (
    ("%p", POINTER),
    ("%a", "i64"),
    ("%b", "i64"),
    ("%i", "i32"),
    ("%c", "i1"),
    ("%t", POINTERS),
    ("%v", "tensor<8xf32>"),
    ("%w", "tensor<8xi32>"),
    ("%k", TOKEN),
    ("%M", MEMORY),
    ("%x", "tensor<8x4xf32>"),
    ("%n", "tensor<4x4xi8>"),
    ("%s", "tensor<4x4xi32>"),
    ("%q", "tensor<8x!nv_tileaa.ptr<i32, 1>>"),
    ("%f", "f32"),
)
NAMES = {name: f"%arg{number}" for number, (name, _) in enumerate(ARGUMENTS)}


def canonical(body: str, *results: str) -> list[str]:
    """The operations of a body that uses its arguments and hands out ``%r``, ``%r1`` ... , in canonical form."""
    known = context()
    known.load_available()
    handed = ", ".join(["%r", "%r1"][: len(results)])
    listed = ", ".join(f"{name}: {type}" for name, type in ARGUMENTS)
    types = ", ".join(type for _, type in ARGUMENTS)
    text = (
        '"builtin.module"() ({\n'
        f'"func.func"() <{{function_type = ({types}) -> ({", ".join(results)}), sym_name = "f"}}> ({{\n'
        f'^bb0({listed}):\n{body}\n"func.return"({handed}) : ({", ".join(results)}) -> ()\n'
        "}) : () -> ()\n}) : () -> ()\n"
    )
    module = parse_module(known, text)
    assert [str(error) for error in verify(module)] == []
    PassManager(known).add(Canonicalize()).run(module)
    assert [str(error) for error in verify(module)] == []
    return lines(module)


def lines(module: Operation) -> list[str]:
    """The text of the operations in the function, and what it returns."""
    return [line.strip() for line in module.print().splitlines()[2:-2]]


def names(found: list[str]) -> list[str]:
    """The names of operations in lines of text."""
    calls = [line.partition(" = ")[2] or line for line in found]
    return [call.replace('"', " ").replace("(", " ").split()[0] for call in calls]


def test_pointer_sums_are_gathered() -> None:
    body = (
        f'%q1 = "nv_tileaa.addptr"(%p, %a) : ({POINTER}, i64) -> {POINTER}\n'
        f'%r = "nv_tileaa.addptr"(%q1, %b) : ({POINTER}, i64) -> {POINTER}'
    )
    assert names(canonical(body, POINTER)) == ["arith.addi", "nv_tileaa.addptr", "return"]


def test_sums_of_narrow_offsets_are_not_gathered() -> None:
    """Each offset is extended to an address; their sum could overflow before."""
    body = (
        f'%q1 = "nv_tileaa.addptr"(%p, %i) : ({POINTER}, i32) -> {POINTER}\n'
        f'%r = "nv_tileaa.addptr"(%q1, %i) : ({POINTER}, i32) -> {POINTER}'
    )
    assert names(canonical(body, POINTER)) == ["nv_tileaa.addptr", "nv_tileaa.addptr", "return"]


@pytest.mark.parametrize(
    ("body", "type", "becomes"),
    [
        (
            '%z = "arith.constant"() <{value = 0 : i64}> : () -> i64\n'
            f'%r = "nv_tileaa.addptr"(%p, %z) : ({POINTER}, i64) -> {POINTER}',
            POINTER,
            NAMES["%p"],
        ),
        (
            f'%y = "nv_tileaa.splat"(%p) : ({POINTER}) -> {POINTERS}\n'
            f'%r = "nv_tileaa.extract"(%y, %i) : ({POINTERS}, i32) -> {POINTER}',
            POINTER,
            NAMES["%p"],
        ),
        (
            f'%y = "nv_tileaa.bitcast"(%p) : ({POINTER}) -> !nv_tileaa.ptr<i32, 1>\n'
            f'%r = "nv_tileaa.bitcast"(%y) : (!nv_tileaa.ptr<i32, 1>) -> {POINTER}',
            POINTER,
            NAMES["%p"],
        ),
        ('%r = "nv_tileaa.view"(%v) : (tensor<8xf32>) -> tensor<8xf32>', "tensor<8xf32>", NAMES["%v"]),
        (
            '%r = "nv_tileaa.permute"(%x) <{permutation = array<i64: 0, 1>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>',
            "tensor<8x4xf32>",
            NAMES["%x"],
        ),
        (f'%r = "nv_tileaa.join_mem_token"(%k) : ({TOKEN}) -> {TOKEN}', TOKEN, NAMES["%k"]),
    ],
    ids=["addptr", "extract", "bitcast", "view", "permute", "join"],
)
def test_operations_that_change_nothing_go(body: str, type: str, becomes: str) -> None:
    assert canonical(body, type) == [f"return {becomes} : {type}"]


def test_bits_that_a_tf32_drops_do_not_come_back() -> None:
    body = (
        '%y = "nv_tileaa.bitcast"(%i) : (i32) -> tf32\n'  # drops the low bits
        '%r = "nv_tileaa.bitcast"(%y) : (tf32) -> i32'
    )
    assert names(canonical(body, "i32")) == ["nv_tileaa.bitcast", "nv_tileaa.bitcast", "return"]


def test_extents_of_the_type_are_numbers() -> None:
    found = canonical(f'%r = "nv_tileaa.get_dim_size"(%M) <{{dim = 1 : i32}}> : ({MEMORY}) -> index', "index")
    assert found == ["%c64 = arith.constant 64 : index", "return %c64 : index"]
    body = f'%r = "nv_tileaa.get_dim_size"(%M) <{{dim = 0 : i32}}> : ({MEMORY}) -> index'
    assert names(canonical(body, "index")) == ["nv_tileaa.get_dim_size", "return"]


def test_promises_move_to_the_scalar() -> None:
    body = (
        '%y = "nv_tileaa.splat"(%i) : (i32) -> tensor<8xi32>\n'
        '%r = "nv_tileaa.assume"(%y) <{predicates = [#nv_tileaa.bounded<0, ?>]}> : (tensor<8xi32>) -> tensor<8xi32>'
    )
    found = canonical(body, "tensor<8xi32>")
    assert names(found) == ["nv_tileaa.assume", "nv_tileaa.splat", "return"]
    assert found[0].endswith(": (i32) -> i32")
    several = body.replace("#nv_tileaa.bounded<0, ?>", "#nv_tileaa.same_elements<[8]>")
    assert names(canonical(several, "tensor<8xi32>")) == ["nv_tileaa.splat", "nv_tileaa.assume", "return"]


def test_splats_of_choices_are_choices_of_splats() -> None:
    body = (
        '%y = "arith.select"(%c, %a, %b) : (i1, i64, i64) -> i64\n'
        '%r = "nv_tileaa.splat"(%y) : (i64) -> tensor<8xi64>'
    )
    found = names(canonical(body, "tensor<8xi64>"))
    assert found == ["nv_tileaa.splat", "nv_tileaa.splat", "arith.select", "return"]


@pytest.mark.parametrize(
    ("operation", "type"),
    [
        ('"nv_tileaa.view"(%y) : (tensor<8x1xf32>) -> tensor<2x4xf32>', "tensor<2x4xf32>"),
        ('"nv_tileaa.broadcast"(%y) : (tensor<8x1xf32>) -> tensor<8x4xf32>', "tensor<8x4xf32>"),
        (
            '"nv_tileaa.expand_dims"(%y) <{axis = 0 : i32}> : (tensor<8x1xf32>) -> tensor<1x8x1xf32>',
            "tensor<1x8x1xf32>",
        ),
        (
            '"nv_tileaa.permute"(%y) <{permutation = array<i64: 1, 0>}> : (tensor<8x1xf32>) -> tensor<1x8xf32>',
            "tensor<1x8xf32>",
        ),
    ],
)
def test_shapes_of_splats_are_splats(operation: str, type: str) -> None:
    body = f'%y = "nv_tileaa.splat"(%f) : (f32) -> tensor<8x1xf32>\n%r = {operation}'
    assert names(canonical(body, type)) == ["nv_tileaa.splat", "return"]


def test_splats_of_numbers_hold_them() -> None:
    body = (
        '%y = "arith.constant"() <{value = 7 : i32}> : () -> i32\n'
        '%r = "nv_tileaa.splat"(%y) : (i32) -> tensor<8xi32>'
    )
    found = canonical(body, "tensor<8xi32>")
    assert found[0] == '%0 = "nv_tileaa.splat"() <{value = 7 : i32}> : () -> tensor<8xi32>'


def test_views_of_views_are_one() -> None:
    body = (
        '%y = "nv_tileaa.view"(%x) : (tensor<8x4xf32>) -> tensor<32xf32>\n'
        '%r = "nv_tileaa.view"(%y) : (tensor<32xf32>) -> tensor<4x8xf32>'
    )
    assert names(canonical(body, "tensor<4x8xf32>")) == ["nv_tileaa.view", "return"]


def test_elements_are_taken_before_they_are_computed() -> None:
    body = (
        '%y = "arith.addf"(%v, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>\n'
        '%e = "nv_tileaa.expand_dims"(%y) <{axis = 1 : i32}> : (tensor<8xf32>) -> tensor<8x1xf32>\n'
        '%r = "nv_tileaa.extract"(%e, %i, %i) : (tensor<8x1xf32>, i32, i32) -> f32'
    )
    found = canonical(body, "f32")
    assert "arith.addf" in names(found)
    assert "nv_tileaa.expand_dims" not in names(found)
    assert any(line.endswith(": f32") and "arith.addf" in line for line in found)


LOAD = (
    '%r, %r1 = "nv_tileaa.load"(%t, %m, %v, %k) <{mem_scope = #nv_tileaa.mem_scope<gpu>, '
    "mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}> : "
    f"({POINTERS}, tensor<8xi1>, tensor<8xf32>, {TOKEN}) -> (tensor<8xf32>, {TOKEN})"
)
STORE = (
    '%r = "nv_tileaa.store"(%t, %v, %m, %k) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>}> : '
    f"({POINTERS}, tensor<8xf32>, tensor<8xi1>, {TOKEN}) -> {TOKEN}"
)


class TestMasks:
    """Accesses whose masks are known."""

    def test_a_true_mask_is_none(self) -> None:
        found = canonical(TRUE + LOAD, "tensor<8xf32>", TOKEN)
        assert names(found) == ["nv_tileaa.load", "return"]
        assert "operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>" in found[0]
        assert (
            "mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>"
            in found[0]
        )

    def test_a_false_mask_is_the_fallback_and_the_token_passes(self) -> None:
        found = canonical(FALSE + LOAD, "tensor<8xf32>", TOKEN)
        assert found == [f"return {NAMES['%v']}, {NAMES['%k']} : tensor<8xf32>, {TOKEN}"]

    def test_without_a_fallback_it_is_poison(self) -> None:
        load = (
            '%r = "nv_tileaa.load"(%t, %m) <{operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>}> : '
            f"({POINTERS}, tensor<8xi1>) -> tensor<8xf32>"
        )
        assert names(canonical(FALSE + load, "tensor<8xf32>")) == ["ub.poison", "return"]

    def test_stores(self) -> None:
        found = canonical(TRUE + STORE, TOKEN)
        assert "operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>" in found[0]
        assert canonical(FALSE + STORE, TOKEN) == [f"return {NAMES['%k']} : {TOKEN}"]


class TestAtomics:
    """Atomics that leave memory as it is."""

    @staticmethod
    def atomic(mode: str, number: str, semantic: str = "relaxed") -> str:
        """An atomic that combines integers with a number."""
        return (
            f'%z = "nv_tileaa.splat"() <{{value = {number} : i32}}> : () -> tensor<8xi32>\n'
            '%r, %r1 = "nv_tileaa.atomic_rmw"(%q, %z, %k) <{mem_scope = #nv_tileaa.mem_scope<gpu>, '
            f"mem_semantic = #nv_tileaa.mem_semantic<{semantic}>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, "
            f"rmw_mode = #nv_tileaa.rmw_mode<{mode}>}}> : "
            f"(tensor<8x!nv_tileaa.ptr<i32, 1>>, tensor<8xi32>, {TOKEN}) -> (tensor<8xi32>, {TOKEN})"
        )

    @pytest.mark.parametrize(
        ("mode", "number", "reads"),
        [
            ("add", "0", True),
            ("or", "0", True),
            ("xor", "0", True),
            ("and", "-1", True),
            ("add", "1", False),
            ("and", "0", False),
            ("xchg", "0", False),
            ("umax", "0", False),
        ],
    )
    def test_identities_read(self, mode: str, number: str, *, reads: bool) -> None:
        found = canonical(self.atomic(mode, number), "tensor<8xi32>", TOKEN)
        assert names(found)[-2] == ("nv_tileaa.load" if reads else "nv_tileaa.atomic_rmw")

    def test_what_releases_cannot_be_a_load(self) -> None:
        found = canonical(self.atomic("add", "0", "release"), "tensor<8xi32>", TOKEN)
        assert names(found)[-2] == "nv_tileaa.atomic_rmw"

    def test_replacing_by_the_same_reads(self) -> None:
        body = (
            '%r, %r1 = "nv_tileaa.atomic_cas"(%t, %v, %v, %k) <{mem_scope = #nv_tileaa.mem_scope<sys>, '
            f"operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>}}> : ({POINTERS}, tensor<8xf32>, tensor<8xf32>, "
            f"{TOKEN}) -> (tensor<8xf32>, {TOKEN})"
        )
        found = canonical(body, "tensor<8xf32>", TOKEN)
        assert names(found) == ["nv_tileaa.load", "return"]
        assert "mem_semantic<relaxed>" in found[0]
        assert "mem_scope<sys>" in found[0]


def test_products_with_zero_are_the_accumulator_for_integers_only() -> None:
    """Zero times infinity is no number: floats are left alone."""
    body = (
        '%z = "nv_tileaa.splat"() <{value = 0 : i8}> : () -> tensor<4x4xi8>\n'
        '%r = "nv_tileaa.dot"(%n, %z, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, '
        "signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>}> : "
        "(tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi32>) -> tensor<4x4xi32>"
    )
    assert canonical(body, "tensor<4x4xi32>") == [f"return {NAMES['%s']} : tensor<4x4xi32>"]
    floats = (
        '%z = "nv_tileaa.splat"() <{value = 0.0 : f32}> : () -> tensor<4x8xf32>\n'
        '%o = "nv_tileaa.splat"() <{value = 1.0 : f32}> : () -> tensor<4x4xf32>\n'
        '%r = "nv_tileaa.dot"(%z, %x, %o) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : '
        "(tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"
    )
    assert "nv_tileaa.dot" in names(canonical(floats, "tensor<4x4xf32>"))


def test_values_of_pragmas_that_nobody_uses_go() -> None:
    body = '%y, %r, %z = "nv_tileaa.pragma"(%a, %f, %i) <{directives = ["unroll"]}> : (i64, f32, i32) -> (i64, f32, i32)'
    found = canonical(body, "f32")
    assert names(found) == ["nv_tileaa.pragma", "return"]
    assert found[0].endswith(": (f32) -> f32")
