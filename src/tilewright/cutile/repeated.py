"""The fast path for a launch with the same kernel and the same kinds of arguments as an earlier launch.

Examining arguments on the slow path takes fifty times as long as a small kernel. The results of the slow path
are cached by everything that they depend on: for an array its element type, shape, strides, alignment and
whether it is read-only; for a constant its value; for another number its type. Any other argument (lists,
tuples, tensors of other libraries) always takes the slow path.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, cast

from tilewright.cutile import known
from tilewright.cutile.binding import Binding
from tilewright.cutile.facts import DIVISOR
from tilewright.cutile.known import CutileKernel, KernelRecord, RepeatedLaunch
from tilewright.cutile.parameters import LeafNode, Parameters
from tilewright.host.addresses import array_address, is_tensor_type, tensor_memory


def find(kernel: Any, arguments: Sequence[object]) -> tuple[RepeatedLaunch, list[Any]] | None:
    """Return an earlier launch with arguments of the same kinds, and the values that differ from launch to
    launch.

    Return None if there was no such launch, or if the arguments take the slow path.
    """
    of_kernel = known.find(kernel)
    if of_kernel is None:
        return None
    looked = _launch_key(of_kernel, arguments)
    if looked is None:
        return None
    key, varying = looked
    found = of_kernel.launches.get((id(kernel._compiler_options), *key))
    return None if found is None else (found, varying)


def remember(
    kernel: Any, parameters: Parameters, arguments: Sequence[object], binding: Binding, compiled: CutileKernel
) -> None:
    """Store a launch for `find`, unless an annotation or an argument is of a kind that always takes the slow
    path.
    """
    if not all(isinstance(node, LeafNode) for node in parameters.nodes):
        return
    of_kernel = known.known(kernel)
    looked = _launch_key(of_kernel, arguments)
    if looked is not None:
        options = kernel._compiler_options
        launch = _launch(compiled, parameters, arguments, binding, options)
        of_kernel.launches.put((id(options), *looked[0]), launch)


def _launch(
    compiled: CutileKernel,
    parameters: Parameters,
    arguments: Sequence[object],
    binding: Binding,
    options: Any,
) -> RepeatedLaunch:
    template: list[Any] = [getattr(value, "value", None) for value in binding.flat]
    places: list[int] = []
    at = 0
    for node, argument in zip(parameters.nodes, arguments, strict=True):
        if getattr(node, "constant", False):
            continue
        places.append(at)
        at += 1 + 2 * getattr(argument, "ndim", 0)
    return RepeatedLaunch(compiled, template, tuple(places), options)


def _launch_key(known: KernelRecord, arguments: Sequence[Any]) -> tuple[list[Hashable], list[Any]] | None:
    """Return a key of everything that a launch depends on, and the values that may differ: addresses and
    numbers.

    Return None for arguments that take the slow path.
    """
    key: list[Hashable] = []
    varying: list[Any] = []
    if len(arguments) != len(known.constant):
        return None
    for value, constant, limit in zip(arguments, known.constant, known.limits, strict=True):
        kind = cast("type[Any]", type(value))
        if constant:
            if kind is not int and kind is not bool and kind is not str:
                return None
            key += (kind, value)
        elif (kind is int and -limit <= value < limit) or kind is float:
            key.append(kind)
            varying.append(value)
        elif kind.__name__ == "ndarray":
            address, is_read_only = array_address(value)
            key += (value.dtype, value.shape, value.strides, address % DIVISOR == 0, is_read_only)
            varying.append(address)
        elif is_tensor_type(kind) and (place := tensor_memory(value)) is not None:
            address, shape, strides = place
            key += (value.dtype, shape, strides, address % DIVISOR == 0)
            varying.append(address)
        else:
            return None
    return key, varying
