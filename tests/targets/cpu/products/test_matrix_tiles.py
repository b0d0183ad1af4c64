"""Products by AMX: the emitted instructions run against a model of their meaning, and stay within the documented bounds."""

from __future__ import annotations

import errno
import functools
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT
from tests.targets.cpu.products.test_product_plans import PRODUCTS, Product, numbers
from tests.targets.cpu.products.tile_model import MatrixTiles
from tilewright.cli.commands import doctor
from tilewright.driver.compile import compile
from tilewright.driver.stages import CompileOptions
from tilewright.interp.launch import interpret
from tilewright.ir.text.parser import parse_module
from tilewright.targets.cpu.machine import compile as machine_compile, host
from tilewright.targets.cpu.products.matrix_tiles import configuration

CPU = "x86-64-v4-amx"
Run = Callable[..., MatrixTiles]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the code for a processor with AMX, and f16 tiles, on this one: with the model instead of the instructions."""
    if host.obstacle(host.PROCESSORS["x86-64-v4-bf16"]):
        pytest.skip("the rest of the code needs AVX-512")
    known = host.PROCESSORS[CPU]
    monkeypatch.setitem(host.PROCESSORS, CPU, known.replace(features=f"{known.features},+amx-fp16"))
    monkeypatch.setattr(host, "obstacle", lambda target: "")
    made = machine_compile.object_code

    def launched(text: str, arrays: list[Any]) -> MatrixTiles:
        model = MatrixTiles()
        monkeypatch.setattr(
            machine_compile, "object_code", lambda ir, target: made(model.led_here(ir), target)
        )
        compile(text, target="cpu", options=CompileOptions(cpu=CPU)).launch((1, 1, 1), arrays)
        assert model.errors == []
        return model

    return launched


EDGES = {
    "few rows": Product(4, 16, 16, "bf16"),
    "eight rows, many columns": Product(8, 128, 64, "bf16"),
    "sixteen rows": Product(16, 64, 32, "bf16", sum="loaded"),
    "few words": Product(64, 32, 8, "bf16"),
    "many blocks": Product(64, 64, 128, "bf16", sum="negated"),
    "computed": Product(32, 32, 32, "bf16", left="negf"),
    "halves that are turned": Product(32, 32, 32, "f16", "f32", turned=(True, True)),
    "few bytes": Product(4, 16, 16, "i8", "i32", sum="loaded"),
}
TILED = {name: PRODUCTS[name] for name in ("halves", "brains-turned", "bytes-turned")}
INSTRUCTION = {"bf16": "tdpbf16ps", "f16": "tdpfp16ps", "i8": "tdpbssd"}


@pytest.mark.parametrize("name", [*EDGES, *TILED])
def test_sums_of_whole_numbers_are_exact(name: str, run: Run) -> None:
    one = {**EDGES, **TILED}[name]
    x = numbers(one.m, one.k, one.type, 1, turned=one.turned[0])
    y = numbers(one.k, one.n, one.type, 2, turned=one.turned[1])
    z = numbers(one.m, one.n, one.total, 3, turned=False)
    a, b = (array.T if turned else array for array, turned in zip((x, y), one.turned, strict=True))
    begin = {"zero": 0, "loaded": z.astype(np.float64), "negated": -z.astype(np.float64)}[one.sum]
    wanted = (a.astype(np.float64) @ b.astype(np.float64)) * (-1 if one.left else 1) + begin
    model = run(one.text, [x, y, z])
    assert z.astype(np.float64).tolist() == wanted.tolist()
    assert model.counts["ldtilecfg"] == model.counts["tilerelease"] == 1
    depth = one.k // (4 if one.type == "i8" else 2)
    tiles = -(-one.m // 16) * (one.n // 16) * -(-depth // 16)
    assert model.counts[INSTRUCTION[one.type]] == tiles


@pytest.mark.parametrize("signs", ["signed unsigned", "unsigned signed", "unsigned unsigned"])
def test_bytes_of_either_sign(signs: str, run: Run) -> None:
    text = Product(16, 32, 64, "i8", "i32").text.replace("signed signed", signs)
    random = np.random.default_rng(5)
    x, y = (random.integers(-128, 128, shape).astype(np.int8) for shape in ((16, 64), (64, 32)))
    z = np.zeros((16, 32), np.int32)
    model = run(text, [x, y, z])
    views = [np.int8 if sign == "signed" else np.uint8 for sign in signs.split()]
    wanted = x.view(views[0]).astype(np.int64) @ y.view(views[1]).astype(np.int64)
    assert z.tolist() == wanted.tolist()
    assert model.counts["tdpb" + "".join(sign[0] for sign in signs.split()) + "d"] == 2


def bound(a: Any, b: Any) -> Any:
    """How far a product may be from the interpreter's, as docs/concepts/numerics.md says."""
    depth, tiny = a.shape[1], 2.0**-126
    a, b = np.abs(a).astype(np.float64), np.abs(b).astype(np.float64)
    lost = np.where(a < tiny, a, 0.0) @ b + a @ np.where(b < tiny, b, 0.0)
    return (depth + 4) * 2.0**-24 * (a @ b) + lost + 2 * depth * tiny + 2.0**-24 * (a @ b)


@pytest.mark.parametrize("scale", [1.0, 2.0**-66, 2.0**-128])
def test_floats_are_within_the_bound(scale: float, run: Run) -> None:
    one, random = Product(32, 32, 128, "bf16", "f32"), np.random.default_rng(9)
    x = (random.standard_normal((32, 128)) * scale).astype(ml_dtypes.bfloat16)
    y = (random.standard_normal((128, 32)) * min(1.0, scale * 2.0**60)).astype(ml_dtypes.bfloat16)
    found, wanted = np.zeros((32, 32), np.float32), np.zeros((32, 32), np.float32)
    run(one.text, [x, y, found])
    interpret(parse_module(CONTEXT, one.text), "k", (1, 1, 1), [x, y, wanted])
    assert (np.abs(found.astype(np.float64) - wanted) <= bound(x, y)).all()


def test_a_product_that_vectors_keep_and_tiles_flush(run: Run) -> None:
    x, y = np.zeros((16, 32), ml_dtypes.bfloat16), np.zeros((32, 16), ml_dtypes.bfloat16)
    x[0, 0], y[0, 0] = 2.0**-130, 2.0**60
    x[1, 0], y[0, 1] = 2.0**-70, 2.0**-70
    z = np.ones((16, 16), np.float32)
    run(Product(16, 16, 32, "bf16", "f32").text, [x, y, z])
    assert z[:2, :2].tolist() == [[0, 0], [2.0**-10, 0]]


def test_the_plan_names_the_unit_and_others_decline() -> None:
    options = CompileOptions(cpu=CPU)
    plan = compile(Product(32, 64, 64, "bf16", "f32").text, target="cpu", options=options).asm["plan"]
    assert "block of 32 rows of 2 vectors of 16, sums of f32" in plan
    assert "depth of 32 words, 16 per iteration, by llvm.x86.tdpbf16ps" in plan
    assert "computed in matrix tiles, four for sums" in plan
    for other in (Product(1, 64, 64, "bf16"), Product(32, 32, 4, "bf16"), Product(32, 32, 32, "f32")):
        assert "matrix tiles" not in compile(other.text, target="cpu", options=options).asm["plan"]
    plain = CompileOptions(cpu="x86-64-v4-bf16")
    assert "matrix tiles" not in compile(PRODUCTS["brains"].text, target="cpu", options=plain).asm["plan"]


def test_a_wrong_configuration_is_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "tilewright.targets.cpu.products.matrix_tiles.configuration"
    monkeypatch.setattr(wrong, lambda shape: configuration(shape)[:50] + b"\x08" + configuration(shape)[51:])
    x, y = (numbers(32, 32, "bf16", seed, turned=False) for seed in (1, 2))
    z = np.zeros((32, 32), np.float32)
    with pytest.raises(AssertionError, match="do not fit"):
        run(Product(32, 32, 32, "bf16", "f32").text, [x, y, z])


@pytest.mark.parametrize("error", [0, errno.EPERM])
def test_permission_is_asked_once_and_a_refusal_gives_vectors(
    error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiled, asked = host.PROCESSORS[CPU], list[tuple[int, ...]]()
    monkeypatch.setattr(host, "_system_call", lambda *numbers: asked.append(numbers) or error)
    monkeypatch.setattr(host, "_reported", lambda: tiled)
    monkeypatch.setattr(host, "host", functools.cache(host.host.__wrapped__))
    monkeypatch.setattr(host, "tiles_refused", functools.cache(host.tiles_refused.__wrapped__))
    monkeypatch.delenv(host.VARIABLE, raising=False)
    for _ in range(2):
        assert host.processor().has("amx-tile") is host.processor().has("amx-bf16") is not bool(error)
    assert asked == [(158, 0x1023, 18)]
    shown = "not used, the system refuses them: Operation not permitted" if error else "of bf16, int8"
    facts = doctor._facts()  # pyright: ignore[reportPrivateUsage]
    assert facts["processor"]["matrix_tiles"] == shown
    assert f"           matrix tiles {shown}\n" in doctor._table(facts)  # pyright: ignore[reportPrivateUsage]
    assert ("(the system refuses them: Operation not permitted)" in host.obstacle(tiled)) is bool(error)


def test_the_error_of_a_system_call_is_told() -> None:
    assert host._system_call(-1) == errno.ENOSYS  # pyright: ignore[reportPrivateUsage]


def test_processors_without_tiles_ask_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "_system_call", lambda *_: pytest.fail("nobody needs a permission"))
    monkeypatch.setattr(host, "_reported", lambda: host.PROCESSORS["x86-64-v4-bf16"])
    monkeypatch.setattr(host, "tiles_refused", functools.cache(host.tiles_refused.__wrapped__))
    assert host.host.__wrapped__() == host.PROCESSORS["x86-64-v4-bf16"]
    assert host.matrix_tiles(host.PROCESSORS["x86-64-v4-bf16"]) == ""
