"""Rules of pointer accesses, atomics, allocation and tokens."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Broken, Legal, broken, ids, legal

POINTER = "tile of Pointer type values"
NUMBER = (
    "tile of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or"
    " f4E2M1FN or fnv8E5M3FNU values"
)
ORDERINGS = ("weak", "relaxed", "acquire", "release", "acq_rel")
SCOPES = ("tl_blk", "device", "sys")
ALLOWED = {"load": ("weak", "relaxed", "acquire"), "store": ("weak", "relaxed", "release")}
INTEGER_MODES = ("and", "or", "xor", "add", "max", "min", "umax", "umin")


def pointer_access(word: str, **more: Any) -> dict[str, Any]:
    """A weak load or store of four floats."""
    given: dict[str, Any] = {"memory_ordering_semantics": "weak"}
    given |= {"source": "4xptr<f32>"} if word == "load" else {"destination": "4xptr<f32>", "value": "4xf32"}
    return given | more


def ordering_texts(word: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Name, message and attributes of every illegal ordering of a load or store."""
    first, second, third = ALLOWED[word]
    rows: list[tuple[str, str, dict[str, Any]]] = []
    for ordering in ORDERINGS:
        order = {"memory_ordering_semantics": ordering}
        if ordering not in ALLOWED[word]:
            text = f"expect one of: {first}, {second}, or {third}, but got: {ordering}"
            rows.append((ordering, text, {**order, "memory_scope": "device"}))
        elif ordering != "weak":
            rows.append((f"{ordering}-no-scope", f"memory scope is required for {ordering} {word}", order))
    rows.append(
        (
            "weak-scope",
            f"weak {word} must not have memory scope",
            {"memory_ordering_semantics": "weak", "memory_scope": "sys"},
        )
    )
    return rows


def legal_orderings(word: str) -> list[dict[str, Any]]:
    """The attributes of every legal ordering of a load or store."""
    strong = [
        {"memory_ordering_semantics": o, "memory_scope": s}
        for o in ALLOWED[word]
        if o != "weak"
        for s in SCOPES
    ]
    return [{"memory_ordering_semantics": "weak"}, *strong]


def _accesses() -> list[Broken]:
    source = "failed to verify that `source` type is expected a pointer type of `result` type"
    target = "failed to verify that `destination` type is expected a pointer type of `value` type"
    i64 = f"operand #0 must be {POINTER}, but got '!cuda_tile.tile<4xi64>'"

    def load(name: str, message: str, **more: Any) -> Broken:
        more.setdefault("results", ["4xf32", "token"])
        return broken("load_ptr_tko", name, message, **pointer_access("load", **more))

    def store(name: str, message: str, **more: Any) -> Broken:
        return broken("store_ptr_tko", name, message, **pointer_access("store", **more))

    rows = [
        load("integer", i64, source="4xi64"),
        load("pointee", source, results=["4xf16", "token"]),
        load("shape", source, results=["8xf32", "token"]),
        load("mask", "failed to verify that shape of 'mask' must match the shape of 'source'", mask="8xi1"),
        load("mask-i8", "operand #1 must be tile of i1 values, but got '!cuda_tile.tile<4xi8>'", mask="4xi8"),
        load(
            "padding",
            "failed to verify that type of 'paddingValue' must match the type of 'result'",
            mask="4xi1",
            padding_value="4xf16",
        ),
        load(
            "padding-pointer",
            f"operand #2 must be {NUMBER}, but got '!cuda_tile.tile<4xptr<f32>>'",
            mask="4xi1",
            padding_value="4xptr<f32>",
        ),
        load("token", "operand #1 must be cuda tile token type, but got '!cuda_tile.tile<i32>'", token="i32"),
        load(
            "multicast",
            "multicast pointer is not allowed",
            source="ptr<f32,multicast>",
            results=["f32", "token"],
        ),
        store("integer", i64, destination="4xi64"),
        store("pointee", target, value="4xf16"),
        store(
            "mask", "failed to verify that shape of 'destination' must match the shape of 'mask'", mask="8xi1"
        ),
        store("multicast", "multicast pointer is not allowed", destination="ptr<f32,multicast>", value="f32"),
    ]
    rows += [load(name, text, **given) for name, text, given in ordering_texts("load")]
    return rows + [store(name, text, **given) for name, text, given in ordering_texts("store")]


RELAXED = {"memory_ordering_semantics": "relaxed", "memory_scope": "device"}


def _rmw(name: str, message: str, element: str = "i32", mode: str = "add", **more: Any) -> Broken:
    given = {**RELAXED, "mode": mode, "pointers": f"4xptr<{element}>", "arg": f"4x{element}", **more}
    return broken("atomic_rmw_tko", name, message, **given)


def _cas(name: str, message: str, element: str = "i32", **more: Any) -> Broken:
    tiles = dict.fromkeys(("cmp", "val"), f"4x{element}")
    given: dict[str, Any] = {**RELAXED, "pointers": f"4xptr<{element}>", **tiles, **more}
    given.setdefault("results", [f"4x{element}", "token"])
    return broken("atomic_cas_tko", name, message, **given)


def _atomics() -> list[Broken]:
    weak = "memory ordering semantics must be one of: relaxed, acquire, release, acq_rel"
    pointee = "expected pointee type ('{}') to match element type of '{}' ('{}')"
    words = "expect only float or integer types with 32 or 64 bit"
    multi = "multicast pointer is not supported for atomic_{}"
    shapes = "failed to verify that all of {{{}}} have same shape"
    exchange = "'xchg' works only with integers or float of 32 or 64 bitwidth"
    rows = [
        _rmw("integer", f"operand #0 must be {POINTER}, but got '!cuda_tile.tile<4xi64>'", pointers="4xi64"),
        _rmw("pointee", pointee.format("f32", "arg", "i32"), pointers="4xptr<f32>"),
        _rmw(
            "result", "failed to verify that all of {arg, result} have same type", results=["4xi64", "token"]
        ),
        _rmw("shape", shapes.format("pointers, arg, result"), arg="8xi32"),
        _rmw("mask", shapes.format("pointers, arg, mask"), mask="8xi1"),
        _rmw("weak", weak, memory_ordering_semantics="weak"),
        _rmw("multicast", multi.format("rmw"), pointers="ptr<i32,multicast>", arg="i32"),
        _rmw("addf-i32", "'addf' works only with floats f16, bf16, f32, and f64", mode="addf"),
        _rmw("addf-tf32", "'addf' works only with floats f16, bf16, f32, and f64", "tf32", "addf"),
        *(_rmw(f"xchg-{e}", exchange, e, "xchg") for e in ("i8", "i16", "f16", "tf32")),
        _cas("pointee", pointee.format("f32", "val", "i32"), pointers="4xptr<f32>"),
        *(_cas(e, words, e) for e in ("i8", "f16", "tf32", "f8E5M2")),
        _cas("mask", shapes.format("pointers, val, cmp and mask"), mask="8xi1"),
        _cas("cmp", "failed to verify that all of {cmp, val, result} have same type", cmp="4xi64"),
        _cas("cmp-shape", shapes.format("pointers, cmp, val, result"), cmp="8xi32"),
        _cas("weak", weak, memory_ordering_semantics="weak"),
        _cas(
            "multicast",
            multi.format("cas"),
            pointers="ptr<i32,multicast>",
            cmp="i32",
            val="i32",
            results=["i32", "token"],
        ),
    ]
    return rows + [
        _rmw(f"{mode}-{e}", f"'{mode}' works only with integers i32 and i64", e, mode)
        for mode in INTEGER_MODES
        for e in ("f32", "i16")
    ]


def _others() -> list[Broken]:
    token = "operand #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'"
    size = "'alignment' ({}) must be at least the natural size ({} bytes) for element type '{}'"
    least = "attribute '{}' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0"

    def alloca(
        name: str, message: str, result: str = "ptr<f32>", count: int = 4, alignment: int = 4
    ) -> Broken:
        return broken("alloca", name, message, num_elem=count, alignment=alignment, results=[result])

    return [
        alloca("three", "'alignment' must be power of two", alignment=3),
        alloca("zero", "'alignment' must be power of two", alignment=0),
        alloca("small", size.format(2, 4, "f32"), alignment=2),
        alloca("tf32", size.format(2, 3, "tf32"), "ptr<tf32>", alignment=2),
        alloca("count", least.format("num_elem"), count=-1),
        alloca("negative", least.format("alignment"), alignment=-4),
        alloca(
            "rank1",
            "result #0 must be 0D tile of Pointer type values, but got '!cuda_tile.tile<4xptr<f32>>'",
            "4xptr<f32>",
        ),
        broken("join_tokens", "one", "expect two or more tokens", tokens=["token"]),
        broken("join_tokens", "none", "expect two or more tokens", tokens=[]),
        broken(
            "join_tokens",
            "tile",
            "operand #1 must be variadic of cuda tile token type, but got '!cuda_tile.tile<i32>'",
            tokens=["token", "i32"],
        ),
        broken(
            "make_token",
            "tile",
            "result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'",
            results=["i32"],
        ),
        broken("memory_fence_alias_tko", "tile", token, token="i32"),
        broken("gdc_wait_tko", "tile", token, token="i32"),
        broken("gdc_launch_dependents_tko", "tile", token, token="i32"),
    ]


def _legal() -> list[Legal]:
    rows: list[Legal] = []
    for word in ("load", "store"):
        op = f"{word}_ptr_tko"
        for at, given in enumerate(legal_orderings(word)):
            rows.append(legal(op, f"order{at}", **pointer_access(word, mask="4xi1", token="token", **given)))
    rows.append(
        legal("load_ptr_tko", "padding", **pointer_access("load", mask="4xi1", padding_value="4xf32"))
    )
    rows.append(legal("load_ptr_tko", "unicast", **pointer_access("load", source="ptr<f32,unicast>")))
    for ordering in ORDERINGS[1:]:
        for scope in SCOPES:
            order = {"memory_ordering_semantics": ordering, "memory_scope": scope, "pointers": "4xptr<i32>"}
            rows.append(legal("atomic_rmw_tko", f"{ordering}-{scope}", **order, mode="add", arg="4xi32"))
            rows.append(
                legal("atomic_cas_tko", f"{ordering}-{scope}", **order, cmp="4xi32", val="4xi32", mask="4xi1")
            )
    modes = {**dict.fromkeys(INTEGER_MODES, ("i32", "i64")), "addf": ("f16", "bf16", "f32", "f64")}
    for mode, elements in (modes | {"xchg": ("i32", "i64", "f32", "f64")}).items():
        rows += [
            legal("atomic_rmw_tko", f"{mode}-{e}", **RELAXED, mode=mode, pointers=f"4xptr<{e}>", arg=f"4x{e}")
            for e in elements
        ]
    for e in ("i64", "f32", "f64"):
        rows.append(legal("atomic_cas_tko", e, **RELAXED, pointers=f"4xptr<{e}>", cmp=f"4x{e}", val=f"4x{e}"))
    sizes = {"i1": 1, "f4E2M1FN": 1, "bf16": 2, "tf32": 4, "f64": 8}
    rows += [legal("alloca", e, num_elem=0, alignment=n, results=[f"ptr<{e}>"]) for e, n in sizes.items()]
    rows.append(legal("alloca", "global", num_elem=64, alignment=128, global_=True, results=["ptr<f32>"]))
    rows += [legal(op, "plain") for op in ("make_token", "gdc_wait_tko", "gdc_launch_dependents_tko")]
    rows.append(legal("join_tokens", "three", tokens=["token"] * 3))
    return [*rows, legal("memory_fence_alias_tko", "plain", token="token")]


BROKEN = [*_accesses(), *_atomics(), *_others()]
LEGAL = _legal()


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_broken(row: Broken) -> None:
    row.check()


@pytest.mark.parametrize("row", LEGAL, ids=ids(LEGAL))
def test_legal(row: Legal) -> None:
    row.check()
