"""What the bridge to Triton says of arguments and grids, and how it replaces functions: with stand-ins for Triton's classes."""

from __future__ import annotations

import inspect
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tilewright.driver.launch_arguments import LaunchError, LaunchOverflowError
from tilewright.host.addresses import UnusableMemoryError
from tilewright.triton import arrays, refusals, replacements
from tilewright.triton.arrays import HostArray, accepting, as_tensor, described, lies_on_host, obstacle
from tilewright.triton.refusals import explaining, grid_obstacle, why


class Kernel:
    """A kernel of Triton with parameters ``x``, ``n`` and the constant ``SIZE``."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.fn = SimpleNamespace(__name__="k")
        self.signature = inspect.signature(lambda x, n=1, SIZE=16: None)
        self.params = [
            SimpleNamespace(name=name, is_constexpr=name == "SIZE") for name in self.signature.parameters
        ]
        self.error = error
        self.runs: list[Any] = []

    def run(self, *arguments: Any, grid: Any, warmup: bool, **named: Any) -> str:
        self.runs.append((arguments, grid, warmup, named))
        if self.error is not None:
            raise self.error
        return "done"


class Tuned:
    """A wrapper that tunes a kernel."""

    def __init__(self, kernel: Any) -> None:
        self.fn = kernel


ARRAY = np.zeros(4, np.float32)


@pytest.mark.parametrize(
    ("grid", "reason"),
    [
        ((1,), None),
        ([2, 3, 4], None),
        ((0,), None),
        ((1, 0, 5), None),
        ((-1,), "-1"),
        ((1 << 40,), "1099511627776"),
        ((), "a grid has one to three extents, got 0"),
        ((1, 2, 3, 4), "a grid has one to three extents, got 4"),
        (7, "a grid is a tuple of one to three integers, got 7"),
        (lambda named: (named["n"],), None),
        (lambda named: (-named["n"],), "-5"),
        (lambda named: named["unknown"], None),
    ],
)
def test_grids_are_refused_with_a_reason(grid: Any, reason: str | None) -> None:
    found = grid_obstacle(grid, {"n": 5})
    assert (found is None) == (reason is None)
    if reason is not None:
        assert reason in str(found)


def test_the_reason_for_a_refused_launch_is_found() -> None:
    kernel = Kernel()
    assert why(kernel, (1,), (ARRAY, 3), {}) is None
    wrong = why(kernel, (1,), (), {})
    assert wrong is not None
    assert "kernel k" in str(wrong)
    assert "x, n, SIZE" in str(wrong)
    bad = why(kernel, (1,), ("text", 3), {})
    assert bad is not None
    assert (bad.parameter, "objects of type str are not supported" in str(bad)) == ("x", True)
    by_name = why(kernel, (1,), (ARRAY,), {"n": 1 << 64, "num_warps": 4})
    assert isinstance(by_name, LaunchOverflowError)
    assert by_name.parameter == "n"
    constant = why(kernel, (-2,), (ARRAY, 3), {"SIZE": "anything"})
    assert constant is not None
    assert "-2" in str(constant)
    assert not constant.parameter
    assert why(Tuned(Tuned(kernel)), (-2,), (ARRAY,), {}) is not None
    assert why(Tuned(kernel), (1,), (), {}) is None  # what is missing is tuned
    assert why(SimpleNamespace(), (-2,), (), {}) is None


@pytest.mark.parametrize("error", [TypeError("no"), KeyError("no"), IndexError("no"), OverflowError("no")])
def test_launches_explain_the_errors_of_triton(error: BaseException) -> None:
    ours = [True]
    launch = explaining(lambda kernel, grid: None, lambda: ours[0])
    kernel = Kernel(error)
    with pytest.raises(LaunchError, match="objects of type str") as caught:
        launch(kernel, (1,))("text", n=3)
    assert caught.value.parameter == "x"
    assert caught.value.__cause__ is None
    assert kernel.runs == [(("text",), (1,), False, {"n": 3})]
    with pytest.raises(type(error)):  # nothing is wrong with these
        launch(kernel, (1,))(ARRAY)
    ours[0] = False
    with pytest.raises(type(error)):
        launch(kernel, (1,))("text")
    assert launch(Kernel(), (1,))(ARRAY) == "done"


def test_errors_that_name_their_parameter_stay() -> None:
    launch = explaining(lambda kernel, grid: None, lambda: True)
    named = LaunchOverflowError("kernel argument", "too large", "").of_parameter("n")
    for error, stays in ((named, True), (LaunchOverflowError("kernel argument", "too large", ""), False)):
        with pytest.raises(LaunchError) as caught:
            launch(Kernel(error), (1,))("text")
        assert (caught.value is error) == stays


class Chain:
    """Hooks."""

    def __init__(self, *calls: Any) -> None:
        self.calls = list(calls)


def test_metadata_are_made_for_hooks_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = [True]
    monkeypatch.setattr(replacements, "is_ours", lambda: ours[0])
    runtime = SimpleNamespace(launch_enter_hook=Chain(), launch_exit_hook=Chain())
    needed = replacements.for_hooks(lambda *given: given, runtime, Chain)
    assert needed("k", (1, 1, 1), 0, 5) is None
    for name, hook in (
        ("launch_enter_hook", Chain("a")),
        ("launch_exit_hook", Chain("a")),
        ("launch_exit_hook", print),
    ):
        monkeypatch.setattr(runtime, name, hook)
        assert needed("k", (1, 1), 0, 5) == ("k", (1, 1), 0, 5)
        monkeypatch.setattr(runtime, name, Chain())
    with pytest.raises(LaunchError, match="got 4"):
        needed("k", (1, 1, 1, 1), 0)
    ours[0] = False
    assert needed("k", (1, 1, 1, 1), 0) is None


def module(name: str, **fields: Any) -> ModuleType:
    """Return a module with some fields."""
    made = ModuleType(name)
    vars(made).update(fields)
    return made


def stand_ins(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Put modules with the functions that are replaced in the place of Triton's."""

    class Interface:
        def __getitem__(self, grid: Any) -> Any:
            return grid

    class Source:
        def make_ir(self) -> str:
            return "ir"

    class Compiled:
        def launch_metadata(self) -> str:
            return "metadata"

    def native(backend: Any, argument: Any, *rest: Any) -> Any:
        return argument

    jit = module("triton.runtime.jit", native_specialize_impl=native, KernelInterface=Interface)
    compiler = module("triton.compiler.compiler", CompiledKernel=Compiled, ASTSource=Source)
    knobs = module("triton.knobs", runtime=SimpleNamespace(), HookChain=Chain)
    active = SimpleNamespace(launcher_cls=None)
    driver = module("triton.runtime.driver", driver=SimpleNamespace(active=active))
    parents = [module(name) for name in ("triton", "triton.runtime", "triton.compiler")]
    for one in (*parents, jit, compiler, knobs, driver):
        monkeypatch.setitem(sys.modules, one.__name__, one)
    return {"jit": jit, "source": Source, "compiled": Compiled, "interface": Interface, "active": active}


def test_functions_are_replaced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = stand_ins(monkeypatch)
    before = (
        found["jit"].native_specialize_impl,
        found["interface"].__getitem__,
        found["source"].make_ir,
        found["compiled"].launch_metadata,
    )
    states: list[tuple[Any, ...]] = []
    for _ in range(2):
        replacements.replace()
        states.append(
            (
                found["jit"].native_specialize_impl,
                found["interface"].__getitem__,
                found["source"].make_ir,
                found["compiled"].launch_metadata,
            )
        )
    assert states[0] == states[1]
    assert all(one is not other for one, other in zip(before, states[0], strict=True))


def test_a_driver_is_ours_by_its_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    found = stand_ins(monkeypatch)
    launcher = object()
    monkeypatch.setitem(sys.modules, "tilewright.triton.driver", module("driver", launcher=launcher))
    assert not refusals.is_ours()
    found["active"].launcher_cls = SimpleNamespace(func=launcher)
    assert refusals.is_ours()
    found["active"].launcher_cls = SimpleNamespace(func=print)
    assert not refusals.is_ours()


# --- arguments


class Tensor:
    """A tensor of another library."""

    def __init__(self, shape: tuple[int, ...], address: int, *, is_cpu: bool = True) -> None:
        self.shape = shape
        self.address = address
        self.is_cpu = is_cpu
        self.is_cuda = not is_cpu
        self.device = "cpu" if is_cpu else "cuda:0"

    def data_ptr(self) -> int:
        return self.address

    def stride(self) -> tuple[int, ...]:
        return (3,) * len(self.shape)


def test_obstacles_of_arguments() -> None:
    for fine in (
        1,
        -(1 << 63),
        (1 << 64) - 1,
        1.5,
        True,
        None,
        ARRAY,
        bytearray(8),
        Tensor((2,), 8),
        (1, (ARRAY,)),
    ):
        assert obstacle(fine) is None
    for wrong, kind, words in (
        (1 << 64, LaunchOverflowError, "18446744073709551616 does not fit in 64 bits"),
        (-(1 << 63) - 1, LaunchOverflowError, "does not fit in 64 bits"),
        (np.float32(1), LaunchError, "objects of type float32 are not supported"),
        ("text", LaunchError, "objects of type str are not supported"),
        ((1, ("text",)), LaunchError, "objects of type str"),
        (np.array(["a"], object), LaunchError, ""),
    ):
        found = obstacle(wrong)
        assert type(found) is kind
        assert words in str(found)


def test_arrays_look_like_tensors() -> None:
    rows = np.zeros((4, 6), np.int16)[::2]
    seen = as_tensor(rows)
    assert isinstance(seen, HostArray)
    assert (seen.shape, seen.dtype, seen.stride(), seen.data_ptr()) == (
        (2, 6),
        np.int16,
        (12, 1),
        rows.ctypes.data,
    )
    assert described(seen) == (rows.ctypes.data, (2, 6), (12, 1))
    one, (other, number) = as_tensor((rows, (rows, 5)))
    assert (type(one), type(other), number) == (HostArray, HostArray, 5)
    assert isinstance(as_tensor(bytearray(8)), HostArray)
    tensor = Tensor((2, 2), 64)
    assert as_tensor(tensor) is tensor
    assert as_tensor(None) is None
    assert described(tensor) == (64, (2, 2), (3, 3))


def test_tensors_that_do_not_lie_on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lies_on_host(Tensor((2,), 8))
    assert lies_on_host(Tensor((2, 0), 0))
    assert not lies_on_host(Tensor((2,), 0))
    far = Tensor((2,), 8, is_cpu=False)
    monkeypatch.setattr(arrays, "active", lambda: None)
    assert not lies_on_host(far)
    with pytest.raises(UnusableMemoryError, match="the tensor is on device cuda:0"):
        described(far)
    monkeypatch.setattr(arrays, "active", lambda: object())
    assert lies_on_host(far)
    far.is_cuda = False
    assert not lies_on_host(far)


@pytest.mark.parametrize("ours", [True, False])
def test_types_of_arguments_are_found_for_arrays_too(ours: bool) -> None:
    def native(backend: Any, argument: Any, *rest: Any) -> Any:
        if isinstance(argument, bytearray | str):
            raise TypeError("not known")
        return type(argument).__name__, rest

    specialize = accepting(native, lambda: ours)
    assert specialize("b", ARRAY, True, False, True) == ("HostArray", (True, False, True))
    assert specialize("b", 5, False, True, False) == ("int", (False, True, False))
    assert specialize("b", (ARRAY,), False, True, False) == ("tuple", (False, True, False))
    if ours:
        assert specialize("b", bytearray(8), True, False, True) == ("HostArray", (True, False, True))
        with pytest.raises(LaunchError, match="objects of type str are not supported"):
            specialize("b", "text", True, False, True)
    else:
        for value in (bytearray(8), "text"):
            with pytest.raises(TypeError, match="not known"):
                specialize("b", value, True, False, True)
