"""Memrefs, functions and vectors that few programs have: their lowering is that of mlir-opt, or has a reason not to be."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lowering.native import lowered, theirs
from tests.lowering.test_operations import LOCAL, unnumbered
from tests.support import mlir_tools
from tilewright.dialects.memref.ops_view import CollapseShapeOp

MEMREF = "finalize-memref-to-llvm"
HEAD = """func.func @f(%z: memref<f32>, %u: memref<*xf32>, %m: memref<4x6xf32>, %d: memref<?x?xf32>,
    %s: memref<?x?xf32, strided<[?, ?], offset: ?>>, %b: memref<?xi8>, %far: memref<4xf32, 3>, %i: index, %n: index) {
"""
SAME: dict[str, tuple[str, str]] = {
    "a place that is not reached": (
        "convert-ub-to-llvm",
        "func.func @f() {\n  ub.unreachable\n}",
    ),
    "an address of any rank": (
        MEMREF,
        f"{HEAD}  %0 = memref.extract_aligned_pointer_as_index %u : memref<*xf32> -> index\n  return\n}}",
    ),
    "single numbers": (
        MEMREF,
        'memref.global "private" constant @x : memref<f32> = dense<1.5>\n'
        "memref.global constant @y : memref<i16> = dense<-7>\n"
        "memref.global @z : memref<2x2xf16> = dense<[[1.0, 2.0], [3.0, -4.5]]>",
    ),
}
"""Name: the pass, and the module."""


@pytest.mark.parametrize("name", SAME)
def test_the_text_is_that_of_mlir_opt(name: str) -> None:
    pass_name, text = SAME[name]
    mine = lowered(text, [pass_name]).print(LOCAL)
    (wanted,) = theirs([text], f"--{pass_name}")
    (again,) = mlir_tools.generic_forms((mine,), "--mlir-print-local-scope")
    assert again == wanted


ORDERED_OTHERWISE = {
    "copies of any rank": f"{HEAD}  memref.copy %u, %u : memref<*xf32> to memref<*xf32>\n  return\n}}",
    "copies of rows apart": f"{HEAD}  memref.copy %s, %d"
    " : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32>\n  return\n}",
}


@pytest.mark.parametrize("name", ORDERED_OTHERWISE)
def test_the_operations_are_those_of_mlir_opt_in_another_order(name: str) -> None:
    text = ORDERED_OTHERWISE[name]
    mine = lowered(text, [MEMREF]).print(LOCAL)
    (wanted,) = theirs([text], f"--{MEMREF}")
    (again,) = mlir_tools.generic_forms((mine,), "--mlir-print-local-scope")
    assert unnumbered(again) == unnumbered(wanted)


ALIGNED = """func.func @f(%n: index) {
  %0 = memref.alloc(%n) : memref<?xindex>
  %1 = memref.alloc() : memref<3x5xvector<4xf32>>
  %2 = memref.alloc() {alignment = 32} : memref<3xi8>
  %3 = memref.alloc() : memref<2xmemref<4xf32>>
  return
}"""


def test_buffers_are_aligned_by_their_elements() -> None:
    text = ALIGNED.replace("  %3 = memref.alloc() : memref<2xmemref<4xf32>>\n", "")
    mine = lowered(text, [MEMREF], use_aligned_alloc=True).print(LOCAL)
    (wanted,) = theirs([text], f"--{MEMREF}=use-aligned-alloc=1")
    assert mlir_tools.generic_forms((mine,), "--mlir-print-local-scope") == [wanted]


def remaining(text: str, pass_name: str, **options: Any) -> list[str]:
    """Return the names of operations that a pass leaves, but those of LLVM and modules."""
    module = lowered(text, [pass_name], **options)
    kept = ("llvm.", "builtin.", "func.")
    return [op.name for op in module.walk() if not op.name.startswith(kept)]


@pytest.mark.parametrize(
    ("text", "options", "left"),
    [
        (ALIGNED, {"use_aligned_alloc": True}, ["memref.alloc"]),
        (
            "func.func @f() {\n  %0 = memref.alloc() : memref<2xvector<[4]xf32>>\n  return\n}",
            {"use_aligned_alloc": True},
            ["memref.alloc"],
        ),
        (
            """func.func @f(%m: memref<4xf8E5M2>, %i: index) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf8E5M2> {
  ^bb0(%old: f8E5M2):
    memref.atomic_yield %old : f8E5M2
  }
  return
}""",
            {},
            ["memref.generic_atomic_rmw", "memref.atomic_yield"],
        ),
        ("memref.global @x : memref<4xvector<[2]x4xf32>> = uninitialized", {}, ["memref.global"]),
        (
            f"{HEAD}  %0 = memref.memory_space_cast %u : memref<*xf32> to memref<*xf32, 3>\n  return\n}}",
            {},
            ["memref.memory_space_cast"],
        ),
        (
            f"{HEAD}  %0 = memref.reinterpret_cast %u to offset: [0], sizes: [4], strides: [1]"
            " : memref<*xf32> to memref<4xf32>\n  return\n}",
            {},
            ["memref.reinterpret_cast"],
        ),
    ],
)
def test_operations_without_a_form_stay(text: str, options: dict[str, Any], left: list[str]) -> None:
    assert remaining(text, MEMREF, **options) == left


def texts(text: str, **options: Any) -> list[str]:
    """Return the lines of a lowered function, in our own form."""
    return [line.strip() for line in str(lowered(text, [MEMREF], **options)).splitlines()]


def test_the_stride_of_joined_dimensions_is_the_smallest() -> None:
    """Where sizes are known to be other than 1, it is the stride of the last of them."""
    one = (
        f"{HEAD}  %0 = memref.collapse_shape %s [[0, 1]] : memref<?x?xf32, strided<[?, ?], offset: ?>> into "
    )
    one += "memref<?xf32, strided<[?], offset: ?>>\n  return\n}"
    lines = texts(one)
    assert sum("llvm.intr.smin" in line for line in lines) == 1
    assert sum("llvm.mul" in line for line in lines) == 1
    known = one.replace("memref<?x?xf32, strided<[?, ?]", "memref<?x4xf32, strided<[?, ?]")
    lines = texts(known)
    assert not any("llvm.intr.smin" in line for line in lines)
    ones = (
        f"{HEAD}  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x6xf32> into memref<24xf32>\n  return\n}}"
    )
    assert "llvm.mlir.constant(24 : index) : i64" in "\n".join(texts(ones))
    assert not any("llvm.mul" in line for line in texts(ones))


def test_offsets_of_parts_are_computed_as_far_as_they_are_known() -> None:
    part = f"{HEAD}  %0 = memref.subview %m[1, 2] [2, 2] [1, 2] : memref<4x6xf32> to "
    part += "memref<2x2xf32, strided<[6, 2], offset: 8>>\n  return\n}"
    lines = texts(part)
    constants = [
        line.partition("constant(")[2].partition(" ")[0] for line in lines if "mlir.constant" in line
    ]
    assert constants == ["8", "2", "6", "2", "2"]
    assert not any("llvm.add" in line or "llvm.mul" in line for line in lines)
    some = f"{HEAD}  %0 = memref.subview %m[%i, 0] [2, 6] [1, 1] : memref<4x6xf32> to "
    some += "memref<2x6xf32, strided<[6, 1], offset: ?>>\n  return\n}"
    lines = texts(some)
    assert sum("llvm.mul" in line for line in lines) == 1
    assert not any("llvm.add" in line for line in lines)


def test_numbers_of_descriptors_have_64_bits_whatever_the_index_has() -> None:
    text = f"""{HEAD}  %0 = memref.dim %d, %n : memref<?x?xf32>
  %1 = memref.alloc(%n) : memref<?xf32>
  %2 = memref.rank %u : memref<*xf32>
  return
}}"""
    narrow = texts(text, index_bitwidth=32)
    assert sum("llvm.trunc" in line for line in narrow) == 2
    assert sum("llvm.sext" in line for line in narrow) == 2
    assert not any("llvm.trunc" in line or "llvm.sext" in line for line in texts(text))


def test_blocks_that_nothing_leads_to_are_converted() -> None:
    text = "func.func @f() {\n  return\n^never(%i: index, %m: memref<4xf32>):\n  return\n}"
    (function,) = [op for op in lowered(text, ["convert-func-to-llvm"]).walk() if op.name == "llvm.func"]
    (_, never) = function.regions[0].blocks
    assert [str(argument.type) for argument in never.arguments] == [
        "i64",
        "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>",
    ]


def test_collapsed_shapes_have_groups() -> None:
    """A result of rank 0 has no group, so that no size and no stride is set."""
    text = "func.func @f(%m: memref<1x1xf32>) {\n  %0 = memref.collapse_shape %m [] : memref<1x1xf32> into memref<f32>\n"
    module = lowered(f"{text}  return\n}}", [MEMREF])
    assert not any(isinstance(op, CollapseShapeOp) for op in module.walk())
    assert sum(op.name == "llvm.insertvalue" for op in module.walk()) == 3


def test_memory_of_another_space_is_freed_by_its_generic_address() -> None:
    """mlir-opt gives `free` the pointer as it is, and then refuses its own call."""
    lines = texts(f"{HEAD}  memref.dealloc %far : memref<4xf32, 3>\n  return\n}}")
    (cast,) = [line for line in lines if "addrspacecast" in line]
    assert "llvm.ptr<3> to !llvm.ptr" in cast
    assert any(f"llvm.call @free({cast.split(' ')[0]})" in line for line in lines)


def test_sines_and_cosines_of_several_vectors() -> None:
    """mlir-opt makes an operation of the whole array, and then refuses it."""
    text = "func.func @f(%w: vector<2x3xf32>) {\n  %0, %1 = math.sincos %w : vector<2x3xf32>\n  return\n}"
    names = [op.name for op in lowered(text, ["convert-math-to-llvm"]).walk()]
    assert names.count("llvm.intr.sin") == names.count("llvm.intr.cos") == 2
    assert names.index("llvm.intr.sin") < names.index("llvm.intr.cos")


def test_bytes_are_seen_as_rows_of_a_length_that_is_not_known() -> None:
    """As mlir-opt does, but strides that the type has are constants."""
    text = f"{HEAD}  %0 = memref.view %b[%n][%n, %i] : memref<?xi8> to memref<?x?x3xf32>\n  return\n}}"
    lines = texts(text)
    (product,) = [line for line in lines if "llvm.mul" in line]
    (three,) = {
        line.split(" ")[0]
        for line in lines
        if "constant(3 : index)" in line and line.split(" ")[0] in product
    }
    inserted = [line.partition("insertvalue ")[2] for line in lines if "insertvalue" in line]
    assert [line.partition("[")[2].partition("]")[0] for line in inserted] == [
        *("0", "1", "2"),
        *("3, 2", "4, 2", "3, 1", "4, 1", "3, 0", "4, 0"),
    ]
    assert f"{product.split(' ')[0]}," in inserted[-1]
    assert three


def test_the_size_of_a_dimension_that_does_not_exist_is_undefined() -> None:
    text = f"{HEAD}  %c = arith.constant 2 : index\n  %0 = memref.dim %m, %c : memref<4x6xf32>\n  return\n}}"
    (poison,) = [line for line in texts(text) if " = llvm." in line]
    assert poison.endswith(" = llvm.mlir.poison : i64")


def fields(text: str) -> dict[str, str]:
    """Return the constants, or other values, that are put into the last descriptor of a lowered function."""
    lines = texts(text)
    constants = {
        line.split(" ")[0]: line.partition("constant(")[2].partition(" ")[0]
        for line in lines
        if "mlir.constant" in line
    }
    found: dict[str, str] = {}
    for line in lines:
        if "llvm.mlir.poison" in line:
            found = {}
        elif "llvm.insertvalue" in line:
            value, _, rest = line.partition("insertvalue ")[2].partition(",")
            found[rest.partition("[")[2].partition("]")[0]] = constants.get(value, value)
    return found


def numbers(found: dict[str, str], part: int, rank: int) -> list[str]:
    """Return the sizes (part 3) or the strides (part 4) of a descriptor."""
    return [found[f"{part}, {at}"] for at in range(rank)]


def test_dimensions_that_are_split_have_the_strides_of_their_order() -> None:
    shape = "memref.expand_shape %m [[0, 1], [2, 3, 4]] output_shape [2, 2, 1, 2, 3]"
    found = fields(f"{HEAD}  %0 = {shape} : memref<4x6xf32> into memref<2x2x1x2x3xf32>\n  return\n}}")
    assert numbers(found, 3, 5) == ["2", "2", "1", "2", "3"]
    assert numbers(found, 4, 5) == ["12", "6", "6", "3", "1"]
    shape = "memref.expand_shape %d [[0, 1], [2, 3]] output_shape [%i, 4, 2, %n]"
    text = f"{HEAD}  %0 = {shape} : memref<?x?xf32> into memref<?x4x2x?xf32>\n  return\n}}"
    found, lines = fields(text), texts(text)
    assert [size for size in numbers(found, 3, 4) if size.isdigit()] == ["4", "2"]
    assert numbers(found, 4, 4)[3] == "1"
    assert sum("llvm.sdiv" in line for line in lines) == 2
    assert sum("llvm.mul" in line for line in lines) == 1, "times 4; what is after a dimension of 1 stays"


@pytest.mark.parametrize(
    ("sizes", "result", "offset", "wanted"),
    [
        ("[1, 3] [1, 1]", "memref<3xf32, strided<[1], offset: 8>>", "8", (["3"], ["1"])),
        ("[2, 1] [2, 1]", "memref<2xf32, strided<[12], offset: 8>>", "8", (["2"], ["12"])),
        ("[1, 1] [1, 1]", "memref<f32, strided<[], offset: 8>>", "8", ([], [])),
        ("[1, 1] [1, 1]", "memref<1x1xf32, strided<[6, 1], offset: 8>>", "8", (["1", "1"], ["6", "1"])),
        ("[1, 1] [1, 1]", "memref<1xf32, strided<[1], offset: 8>>", "8", (["1"], ["1"])),
        ("[1, 1] [1, 1]", "memref<1xf32, strided<[6], offset: 8>>", "8", (["1"], ["6"])),
    ],
)
def test_parts_have_the_dimensions_that_their_type_has(
    sizes: str, result: str, offset: str, wanted: tuple[list[str], list[str]]
) -> None:
    found = fields(
        f"{HEAD}  %0 = memref.subview %m[1, 2] {sizes} : memref<4x6xf32> to {result}\n  return\n}}"
    )
    rank = len(wanted[0])
    assert found["2"] == offset
    assert (numbers(found, 3, rank), numbers(found, 4, rank)) == wanted
    assert len(found) == 3 + 2 * rank
