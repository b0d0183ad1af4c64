"""Arguments and options of Triton's kernels, without Triton."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from tilewright.host.addresses import data_pointer
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.triton.arrays import HostArray, as_tensor
from tilewright.triton.launcher import Launcher
from tilewright.triton.options import Options
from tilewright.triton.parameters import (
    Number,
    PointerParameter,
    any_address,
    flat_arguments,
    flattener,
    parameter,
    plain_address,
)


class Tensor:
    """As much of a tensor as launches ask for."""

    def __init__(self, array: Any) -> None:
        self.array, self.shape = array, array.shape

    def data_ptr(self) -> int:
        return self.array.ctypes.data

    def stride(self) -> tuple[int, ...]:
        return tuple(step // self.array.itemsize for step in self.array.strides)


@pytest.mark.parametrize(
    ("type", "value", "flat"),
    [
        ("i32", 7, 7),
        ("u32", (1 << 32) - 1, -1),
        ("u64", 1 << 63, -(1 << 63)),
        ("i1", 1, True),
        ("fp32", 2, 2.0),
        ("*fp32", None, 0),
        ("*fp32", 4096, 4096),
    ],
)
def test_numbers_and_addresses(type: str, value: object, flat: object) -> None:
    (made,) = parameter("x", type).flat(value, plain_address)
    assert made == flat
    assert made.__class__ is flat.__class__


def test_tensors_are_their_addresses_and_known_memory() -> None:
    array = np.zeros((4, 6), np.float32)[:, ::2]
    known = parameter("x", "*fp32")
    for argument in (Tensor(array), array):
        assert known.flat(argument, plain_address) == (array.ctypes.data,)
        (memory,) = known.arrays(argument)
        assert memory is not None
        assert memory.name == "x"
        assert (memory.array.ctypes.data, memory.array.strides) == (array.ctypes.data, array.strides)


def test_tensors_of_a_simulated_gpu_have_an_address_on_the_host() -> None:
    """Their ``data_ptr`` may be an address of the device that runs the program's kernels in CUDA C++."""

    class OnDevice:
        is_cpu = False
        shape = (4,)

        def data_ptr(self) -> int:
            return 1 << 42

        def host_data_ptr(self) -> int:
            return 4096

    tensor, parameter = OnDevice(), PointerParameter("x", "*fp32")
    assert data_pointer(tensor) == 4096
    assert any_address(tensor) == 4096
    assert parameter.argument_expression("x", tensor) == "address(x)"
    assert data_pointer(Tensor(array := np.ones(1))) == array.ctypes.data


def test_memory_has_the_element_that_the_kernel_sees() -> None:
    for type, dtype in (("*i1", np.int8), ("*u16", np.int16), ("**fp32", np.int64)):
        (memory,) = parameter("x", type).arrays(Tensor(np.zeros(4, dtype)))
        assert memory is not None
        assert memory.array.dtype == dtype


def test_tuples_are_their_items_and_constants_are_nothing() -> None:
    known = parameter("pair", ("*fp32", ("i32", "constexpr")))
    array = np.zeros(3, np.float32)
    value = (Tensor(array), (5, "mode"))
    assert known.flat(value, plain_address) == [array.ctypes.data, 5]
    assert [memory and memory.name for memory in known.arrays(value)] == ["pair[0]", None]


def test_descriptors_are_base_extents_strides_and_padding() -> None:
    array = np.zeros((4, 8), np.float32)
    value = SimpleNamespace(base=Tensor(array), shape=[4, 8], strides=[8, 1], padding="nan")
    known = parameter("d", "tensordesc<fp32[2,4]>")
    assert known.flat(value, plain_address) == (array.ctypes.data, 4, 8, 8, 1, True, 4, 8, 8, 1)
    assert len(known.arrays(value)) == len(known.flat(value, plain_address))


def test_arrays_are_seen_as_tensors_within_tuples_too() -> None:
    array = np.zeros(2)
    assert isinstance(as_tensor(array), HostArray)
    assert isinstance(as_tensor((1, array))[1], HostArray)
    assert as_tensor(3) == 3


def test_launches_run_between_the_hooks_and_those_of_no_program_are_none() -> None:
    metadata = SimpleNamespace(name="k", check=[], run_on="cpu", ttir="")
    ran: list[object] = []
    kernel = SimpleNamespace(launch_numbers=lambda grid, numbers: ran.append((grid, list(numbers))))
    launcher = Launcher(SimpleNamespace(signature={"n": "i32"}), metadata)
    function: Any = SimpleNamespace(kernel=lambda checks, target: kernel)
    for grid in ((2, 1, 1), (0, 1, 1)):
        launcher(*grid, 0, function, metadata, "told", ran.append, ran.append, 5)
    assert ran == ["told", ((2, 1, 1), [5]), "told", "told", "told"]


@pytest.mark.parametrize("grid", [(1 << 31, 1, 1), (1, 1, 1 << 33), (1 << 24, 1, 1)])
def test_grids_that_are_too_large_are_refused(grid: tuple[int, int, int]) -> None:
    """Tile IR's rules of numbers count on its limit, below that of a GPU along x."""
    metadata = SimpleNamespace(name="k", check=[], run_on="cpu", ttir="")
    kernel = SimpleNamespace(launch_numbers=lambda grid, numbers: pytest.fail("it ran"))
    function: Any = SimpleNamespace(kernel=lambda checks, target: kernel)
    launcher = Launcher(SimpleNamespace(signature={}), metadata)
    with pytest.raises(DiagnosticError, match="must be from 1 to 16777215"):
        launcher(*grid, 0, function, metadata, None, None, None)


class Asked(Number, frozen=True):
    """A parameter that counts the launches in which it is asked for its number."""

    asked: ClassVar[list[object]] = []

    def flat(self, value: Any, address: Any) -> tuple[Any]:
        self.asked.append(value)
        return (value,)


def test_functions_for_flat_arguments_are_written_once_and_take_other_kinds() -> None:
    array = np.zeros((4, 8), np.float32)
    descriptor = SimpleNamespace(base=Tensor(array), shape=[4, 8], strides=[8, 1])
    types = ["*fp32", "tensordesc<fp32[2,4]>", ("*fp32", ("i32", "constexpr")), "u64", "i8", "constexpr"]
    parameters = [parameter(f"p{at}", type) for at, type in enumerate(types)]
    first = (Tensor(array), descriptor, (array, (5, "mode")), 1 << 63, 7, None)
    flat = flattener([*parameters, Asked("n", "i32")], (*first, 3))
    for other in (first, (array, *first[1:]), (None, *first[1:]), (4096, *first[1:])):
        assert list(flat((*other, 3))) == [*flat_arguments(parameters, other), 3]
    assert Asked.asked == [3] * 3  # by the launches of which the first argument is another kind of object


class Chain:
    """As Triton's chain of hooks: by default nobody has added anything to it."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.called = 0

    def __call__(self, told: object) -> None:
        self.called += 1


class Recorder(Chain):
    """A hook of a program, which calls its notes as Triton calls its hooks."""


def test_chains_that_nobody_has_added_anything_to_are_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "triton.knobs", SimpleNamespace(HookChain=Chain))
    metadata = SimpleNamespace(name="k", check=[], run_on="cpu", ttir="")
    kernel = SimpleNamespace(launch_numbers=lambda grid, numbers: None)
    launcher = Launcher(SimpleNamespace(signature={}), metadata)
    function: Any = SimpleNamespace(kernel=lambda checks, target: kernel)
    enter, leave = Chain(), Recorder()
    for _ in range(2):
        launcher(1, 1, 1, 0, function, metadata, None, enter, leave)
        enter.calls.append("added")
    assert (enter.called, leave.called) == (1, 2)


def test_what_does_not_depend_on_a_launch_is_settled_once() -> None:
    metadata = SimpleNamespace(name="k", check=[], run_on="cpu", ttir="")
    asked: list[object] = []
    ran: list[list[object]] = []
    looked_at: list[Any] = []
    kernel = SimpleNamespace(
        launch_numbers=lambda grid, numbers: ran.append(list(numbers)),
        launch=lambda grid, flat, threads, memory: looked_at.append((flat, memory)),
    )
    signature = {"x": "*fp32", "n": "u32", "BLOCK": "constexpr", "flag": "i1", "scale": "fp32"}
    launcher = Launcher(SimpleNamespace(signature=signature), metadata)

    def found(checks: object, target: object) -> Any:
        asked.append(target)
        return kernel

    function: Any = SimpleNamespace(kernel=found)
    array = np.zeros(4, np.float32)
    address = array.ctypes.data
    locked = array[::2]
    locked.flags.writeable = False
    for x in (array, Tensor(array), array[::2], HostArray(array), address):
        launcher(2, 1, 1, 0, function, metadata, None, None, None, x, (1 << 32) - 1, 64, 1, 3)
    launcher(2, 1, 1, 0, function, metadata, None, None, None, None, 7, 64, False, 0.5)
    assert ran == [[address, -1, True, 3.0]] * 5 + [[0, 7, False, 0.5]]
    assert [type(number) for number in ran[0]] == [int, int, bool, float]
    launcher(2, 1, 1, 0, function, metadata, None, None, None, locked, 7, 64, False, 0.5)
    (((found_array, *numbers), (named,)),) = looked_at  # whoever launches it says whether the kernel writes
    assert (found_array.ctypes.data, found_array.flags.writeable, numbers) == (
        address,
        False,
        [7, False, 0.5],
    )
    assert (named.name, named.array) == ("x", found_array)
    assert asked == ["cpu"]
    with pytest.raises(ValueError, match="not enough values"):
        launcher(2, 1, 1, 0, function, metadata, None, None, None, array, 7)


def test_checks_and_other_targets_see_arrays_and_their_names() -> None:
    array = np.zeros(4, np.float32)
    for check, run_on in ((["memcheck"], "cpu"), ([], "interp")):
        metadata = SimpleNamespace(name="k", check=check, run_on=run_on, ttir="")
        ran: list[Any] = []
        kernel = SimpleNamespace(launch=lambda *launch, ran=ran: ran.append(launch))
        launcher = Launcher(SimpleNamespace(signature={"x": "*fp32", "n": "i32"}), metadata)
        function: Any = SimpleNamespace(kernel=lambda checks, target, kernel=kernel: kernel)
        launcher(2, 1, 1, 0, function, metadata, None, None, None, Tensor(array), 4)
        ((_, flat, _, memory),) = ran
        assert (flat[0].ctypes.data, flat[1], memory[0].name) == (array.ctypes.data, 4, "x")


def test_whoever_looks_at_a_launch_gets_the_ir_of_triton() -> None:
    metadata = SimpleNamespace(name="k", check=[], run_on="cpu", ttir="module {}")
    seen: list[Any] = []
    around: Any = SimpleNamespace(
        engine=lambda launched, target, check: seen.append(launched),
        make=lambda name, grid, arguments, run: run(),
    )
    function: Any = SimpleNamespace(kernel=lambda checks, target: None, content=b"")
    launcher = Launcher(SimpleNamespace(signature={"n": "i32"}), metadata, around)
    launcher(1, 1, 1, 0, function, metadata, None, None, None, 5)
    assert [launched.ttir for launched in seen] == ["module {}"]


def test_options_of_gpus_are_accepted_and_told_to_change_nothing() -> None:
    target = SimpleNamespace(warp_size=1, arch="x86_64")
    options = Options.of({"num_warps": 8, "kpack": None, "unknown": 1, "extern_libs": {"a": "b"}}, target)
    assert (options.num_warps, options.kpack, options.extern_libs) == (8, 1, (("a", "b"),))
    assert list(options.ignored) == ["num_warps"]
    with pytest.raises(AssertionError, match="power of 2"):
        Options.of({"num_warps": 3}, target)
