"""Arrays that overlap: a store waits for all of the tile that it is computed from, whichever elements they share.

The kernels are compiled once each and launched at many places of one piece of memory.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

import tilewright
from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT, kernel
from tilewright.driver.compile import compile
from tilewright.interp.launch import interpret
from tilewright.ir.text.parser import parse_module

pytest.importorskip("llvmlite")

LENGTH = 1200
LAUNCHES = 60


def view(name: str, extents: Sequence[int], strides: Sequence[int], tile: str, element: str = "i32") -> str:
    """The text that makes a view of one tile, whose name ends in ``_view``."""
    tensor = f"tensor_view<{'x'.join(map(str, extents))}x{element}, strides={[*strides]}>".replace(", ", ",")
    tensor = tensor.replace(",strides", ", strides")
    shape, steps = list(extents), list(strides)
    return (
        f"%{name}_all = make_tensor_view %{name}, shape = {shape}, strides = {steps} : {tensor}\n"
        f"%{name}_view = make_partition_view %{name}_all : partition_view<tile=({tile}), {tensor}>\n"
    )


def move(names: str, extents: Sequence[int], strides: Sequence[int], tile: str, body: str) -> str:
    """A kernel that loads a tile of each array but the last, and stores ``%r`` into that."""
    text = "%o = constant <i32: 0> : tile<i32>\n"
    index = ", ".join(["%o"] * len(extents))
    for name in names:
        text += view(name, extents, strides, tile)
    kind = text.rsplit(" : ", 1)[1].strip()
    for name in names[:-1]:
        text += (
            f"%{name}l, %{name}t = load_view_tko weak %{name}_view[{index}]"
            f" : {kind}, tile<i32> -> tile<{tile}xi32>, token\n"
        )
    text += body
    text += f"%d = store_view_tko weak %r, %{names[-1]}_view[{index}] : tile<{tile}xi32>, {kind}, tile<i32> -> token\n"
    return kernel(text, ", ".join(f"%{name}: tile<ptr<i32>>" for name in names))


def through_pointers(mask: str) -> str:
    """A kernel that moves a tile of neighbours, all of them or the first hundred."""
    text = """
      %i = iota : tile<128xi32>
      %n = constant <i32: 100> : tile<128xi32>
      %zero = constant <i32: 0> : tile<128xi32>
      %m = cmpi less_than %i, %n, signed : tile<128xi32> -> tile<128xi1>
    """
    for name in "xy":
        text += f"""
          %{name}1 = reshape %{name} : tile<ptr<i32>> -> tile<1xptr<i32>>
          %{name}2 = broadcast %{name}1 : tile<1xptr<i32>> -> tile<128xptr<i32>>
          %{name}p = offset %{name}2, %i : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
        """
    masked, types, padded, all_types = (
        (", %m", ", tile<128xi1>", ", %m, %zero", ", tile<128xi1>, tile<128xi32>") if mask else ("",) * 4
    )
    text += f"""
      %l, %t = load_ptr_tko weak %xp{padded} : tile<128xptr<i32>>{all_types} -> tile<128xi32>, token
      %r = addi %l, %i : tile<128xi32>
      %d = store_ptr_tko weak %yp, %r{masked} : tile<128xptr<i32>>, tile<128xi32>{types} -> token
    """
    return kernel(text, "%x: tile<ptr<i32>>, %y: tile<ptr<i32>>")


def in_order(mask: str, target: str = "y", rows: int = 1) -> str:
    """A kernel that adds two tiles, all of them or a part, into a third or the first: tokens say what comes after what."""
    columns = 64
    shape = f"{rows}x{columns}"
    text = f"""
      %t0 = make_token : token
      %i = iota : tile<{columns}xi32>
      %j = iota : tile<{rows}xi32>
      %n = constant <i32: 50> : tile<{shape}xi32>
      %width = constant <i32: 70> : tile<{rows}xi32>
      %down = muli %j, %width : tile<{rows}xi32>
      %i1 = reshape %i : tile<{columns}xi32> -> tile<1x{columns}xi32>
      %i2 = broadcast %i1 : tile<1x{columns}xi32> -> tile<{shape}xi32>
      %j1 = reshape %down : tile<{rows}xi32> -> tile<{rows}x1xi32>
      %j2 = broadcast %j1 : tile<{rows}x1xi32> -> tile<{shape}xi32>
      %at = addi %i2, %j2 : tile<{shape}xi32>
      %m = cmpi less_than %i2, %n, signed : tile<{shape}xi32> -> tile<{shape}xi1>
    """
    for name in "xyz":
        text += f"""
          %{name}1 = reshape %{name} : tile<ptr<i32>> -> tile<1x1xptr<i32>>
          %{name}2 = broadcast %{name}1 : tile<1x1xptr<i32>> -> tile<{shape}xptr<i32>>
          %{name}p = offset %{name}2, %at : tile<{shape}xptr<i32>>, tile<{shape}xi32> -> tile<{shape}xptr<i32>>
        """
    masked, types = (", %m", f", tile<{shape}xi1>") if mask else ("", "")
    token = "%t0"
    for name in "xy":
        text += f"""
          %{name}l, %{name}t = load_ptr_tko weak %{name}p{masked} token={token} : tile<{shape}xptr<i32>>{types}
            -> tile<{shape}xi32>, token
        """
        token = f"%{name}t"
    text += f"""
      %r = addi %xl, %yl : tile<{shape}xi32>
      %d = store_ptr_tko weak %{target}p, %r{masked} token={token}
        : tile<{shape}xptr<i32>>, tile<{shape}xi32>{types} -> token
    """
    return kernel(text, "%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %z: tile<ptr<i32>>")


def carried() -> str:
    """A kernel that loads by pointers that a loop carries, first a tile of neighbours and then one element.

    A step loads what the step before it has stored.
    """
    pointers = "tile<32xptr<i32>>"
    text = "%i = iota : tile<32xi32>\n"
    for name, number in (("low", 0), ("high", 3), ("one", 1)):
        text += f"%{name} = constant <i32: {number}> : tile<i32>\n"
    for name in "xy":
        text += f"""
          %{name}1 = reshape %{name} : tile<ptr<i32>> -> tile<1xptr<i32>>
          %{name}2 = broadcast %{name}1 : tile<1xptr<i32>> -> {pointers}
          %{name}p = offset %{name}2, %i : {pointers}, tile<32xi32> -> {pointers}
        """
    text += f"""
      %t0 = make_token : token
      %e:2 = for %k in (%low to %high, step %one) : tile<i32>
          iter_values(%xs = %xp, %t1 = %t0) -> ({pointers}, token) {{
        %l, %t2 = load_ptr_tko weak %xs token=%t1 : {pointers} -> tile<32xi32>, token
        %r = addi %l, %i : tile<32xi32>
        %t3 = store_ptr_tko weak %yp, %r : {pointers}, tile<32xi32> -> token
        continue %x2, %t3 : {pointers}, token
      }}
    """
    return kernel(text, "%x: tile<ptr<i32>>, %y: tile<ptr<i32>>")


def gathered(store: bool) -> str:
    """A kernel that picks rows in falling order, or puts them there."""
    tensor = "tensor_view<8x16xi32, strides=[16,1]>"
    picked = f"gather_scatter_view<tile=(8x16), {tensor}, sparse_dim=0>"
    whole = f"partition_view<tile=(8x16), {tensor}>"
    text = f"""
      %o = constant <i32: 0> : tile<i32>
      %i = iota : tile<8xi32>
      %seven = constant <i32: 7> : tile<8xi32>
      %rows = subi %seven, %i : tile<8xi32>
      %xa = make_tensor_view %x, shape = [8, 16], strides = [16, 1] : {tensor}
      %ya = make_tensor_view %y, shape = [8, 16], strides = [16, 1] : {tensor}
      %xs = make_gather_scatter_view %xa : {picked}
      %xv = make_partition_view %xa : {whole}
      %ys = make_gather_scatter_view %ya : {picked}
      %yv = make_partition_view %ya : {whole}
    """
    rows, tile = f"[%rows, %o] : {picked}, tile<8xi32>, tile<i32>", f"[%o, %o] : {whole}, tile<i32>"
    source, target = (f"%xv{tile}", f"%ys{rows}") if store else (f"%xs{rows}", f"%yv{tile}")
    into = target.replace(" : ", " : tile<8x16xi32>, ")
    text += f"""
      %l, %t = load_view_tko weak {source} -> tile<8x16xi32>, token
      %d = store_view_tko weak %l, {into} -> token
    """
    return kernel(text, "%x: tile<ptr<i32>>, %y: tile<ptr<i32>>")


def narrowed() -> str:
    """A kernel that stores bytes where it may have loaded words from."""
    text = "%o = constant <i32: 0> : tile<i32>\n"
    text += view("x", [128], [1], "128") + view("y", [128], [1], "128", "i8")
    kinds = [f"partition_view<tile=(128), tensor_view<128x{e}, strides=[1]>>" for e in ("i32", "i8")]
    text += f"""
      %l, %t = load_view_tko weak %x_view[%o] : {kinds[0]}, tile<i32> -> tile<128xi32>, token
      %r = trunci %l : tile<128xi32> -> tile<128xi8>
      %d = store_view_tko weak %r, %y_view[%o] : tile<128xi8>, {kinds[1]}, tile<i32> -> token
    """
    return kernel(text, "%x: tile<ptr<i32>>, %y: tile<ptr<i8>>")


def swapped_pointers() -> str:
    """A kernel that moves a tile of neighbours there and back: its loop carries the pointers and swaps them."""
    text = """
      %i = iota : tile<128xi32>
      %zero = constant <i32: 0> : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %three = constant <i32: 3> : tile<i32>
      %t0 = make_token : token
    """
    for name in "xy":
        text += f"""
          %{name}1 = reshape %{name} : tile<ptr<i32>> -> tile<1xptr<i32>>
          %{name}2 = broadcast %{name}1 : tile<1xptr<i32>> -> tile<128xptr<i32>>
          %{name}p = offset %{name}2, %i : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
        """
    pointers = "tile<128xptr<i32>>"
    carried = f"{pointers}, {pointers}, token"
    text += f"""
      %e:3 = for %n in (%zero to %three, step %one) : tile<i32> iter_values(%a = %xp, %b = %yp, %t = %t0) -> ({carried}) {{
        %l, %loaded = load_ptr_tko weak %a token=%t : {pointers} -> tile<128xi32>, token
        %r = addi %l, %i : tile<128xi32>
        %stored = store_ptr_tko weak %b, %r : {pointers}, tile<128xi32> -> token
        continue %b, %a, %stored : {carried}
      }}
    """
    return kernel(text, "%x: tile<ptr<i32>>, %y: tile<ptr<i32>>")


ADD = "(%l: tile<i32>, %q: tile<i32>) { %s = addi %l, %q : tile<i32> yield %s : tile<i32> }"
KERNELS = {
    "row": lambda: move("xy", [128], [1], "128", "%r = addi %xl, %xl : tile<128xi32>\n"),
    "edge": lambda: move("xy", [100], [1], "128", "%r = addi %xl, %xl : tile<128xi32>\n"),
    "two": lambda: move("xyz", [8, 40], [40, 1], "8x64", "%r = subi %xl, %yl : tile<8x64xi32>\n"),
    "apart": lambda: move("xy", [8, 16], [64, 1], "8x16", "%r = addi %xl, %xl : tile<8x16xi32>\n"),
    "columns": lambda: move("xy", [8, 16], [1, 8], "8x16", "%r = addi %xl, %xl : tile<8x16xi32>\n"),
    "every second": lambda: move("xy", [64], [2], "64", "%r = addi %xl, %xl : tile<64xi32>\n"),
    "scan": lambda: move(
        "xy",
        [4, 64],
        [64, 1],
        "4x64",
        f"%r = scan %xl dim=1 reverse=false identities=[0 : i32] : tile<4x64xi32> -> tile<4x64xi32> {ADD}\n",
    ),
    "sums": lambda: move(
        "xy",
        [4, 64],
        [64, 1],
        "4x64",
        f"%sum = reduce %xl dim=1 identities=[0 : i32] : tile<4x64xi32> -> tile<4xi32> {ADD}\n"
        "%s1 = reshape %sum : tile<4xi32> -> tile<4x1xi32>\n"
        "%s2 = broadcast %s1 : tile<4x1xi32> -> tile<4x64xi32>\n%r = subi %xl, %s2 : tile<4x64xi32>\n",
    ),
    "turned": lambda: move(
        "xy", [16, 16], [16, 1], "16x16", "%r = permute %xl [1, 0] : tile<16x16xi32> -> tile<16x16xi32>\n"
    ),
    "pointers": lambda: through_pointers(""),
    "pointers with a mask": lambda: through_pointers("mask"),
    "in order": lambda: in_order("", "z"),
    "in order with a mask": lambda: in_order("mask", "z"),
    "in order in place": lambda: in_order("mask", "x"),
    "rows in order": lambda: in_order("", "z", 4),
    "rows in order with a mask": lambda: in_order("mask", "z", 4),
    "rows in order in place": lambda: in_order("mask", "y", 4),
    "carried pointers": carried,
    "gathered": lambda: gathered(store=False),
    "scattered": lambda: gathered(store=True),
    "narrowed": narrowed,
    "swapped pointers": swapped_pointers,
}


def places(name: str, count: int) -> list[list[int]]:
    """Where arrays begin, of which most overlap; the first few hit the same or the next elements."""
    source = random.Random(name)
    near = [[0] * count, [0] * (count - 1) + [1], [1] * (count - 1) + [0], [32] * (count - 1) + [0]]
    return near + [[source.randrange(200) for _ in range(count)] for _ in range(LAUNCHES)]


@pytest.mark.parametrize("name", KERNELS)
def test_overlapping_arrays(name: str) -> None:
    text = KERNELS[name]()
    module, made = parse_module(CONTEXT, text), compile(text, target="cpu")
    count = 3 if name == "two" or "in order" in name else 2
    for starts in places(name, count):
        wanted, found = (np.arange(LENGTH, dtype=np.int32) * 2654435 for _ in range(2))
        interpret(module, "k", (1, 1, 1), [wanted[start:].view(np.uint8) for start in starts])
        made.launch((1, 1, 1), [found[start:].view(np.uint8) for start in starts])
        np.testing.assert_array_equal(wanted, found, err_msg=f"arrays at {starts}")


def test_tokens_make_no_copies():
    """What tokens put after loads shares their pass, which looks whether arrays overlap."""
    plan = compile(in_order("", "z"), target="cpu").asm["plan"]
    assert "is loaded before its memory is written" not in plan
    assert "if the arrays overlap, whole tiles are loaded first" in plan
    assert plan.count("nest ") == 1


def test_a_store_does_not_overtake_the_sums_of_what_it_overwrites() -> None:
    """It has the shape of an earlier store, and nothing but tokens keeps it behind the sums of rows between them."""
    one, two = "tensor_view<128xi32, strides=[1]>", "tensor_view<2x64xi32, strides=[64,1]>"
    rows = f"partition_view<tile=(2x64), {two}>"
    whole, few = (
        f"partition_view<tile=(128), {one}>",
        "partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>",
    )
    text = "%o = constant <i32: 0> : tile<i32>\n%i = iota : tile<128xi32>\n"
    text += view("x", [128], [1], "128") + view("z", [128], [1], "128")
    text += view("w", [2, 64], [64, 1], "2x64") + view("y", [2], [1], "2")
    text += f"""
      %s0 = store_view_tko weak %i, %z_view[%o] : tile<128xi32>, {whole}, tile<i32> -> token
      %a, %t = load_view_tko weak %w_view[%o, %o] : {rows}, tile<i32> -> tile<2x64xi32>, token
      %r = reduce %a dim=1 identities=[0 : i32] : tile<2x64xi32> -> tile<2xi32>
      (%p: tile<i32>, %q: tile<i32>) {{
        %v = addi %p, %q : tile<i32>
        yield %v : tile<i32>
      }}
      %s1 = store_view_tko weak %i, %x_view[%o] token=%t : tile<128xi32>, {whole}, tile<i32> -> token
      %s2 = store_view_tko weak %r, %y_view[%o] : tile<2xi32>, {few}, tile<i32> -> token
    """
    module = parse_module(CONTEXT, kernel(text, ", ".join(f"%{name}: tile<ptr<i32>>" for name in "xwyz")))
    numbers = np.arange(5, 133, dtype=np.int32)
    x, y, z = numbers.copy(), np.zeros(2, np.int32), np.zeros(128, np.int32)
    tilewright.launch(module, "k", 1, [x, x, y, z])
    assert y.tolist() == numbers.reshape(2, 64).sum(axis=1).tolist()
    assert x.tolist() == z.tolist() == list(range(128))
