"""The short way for launches like one before: same kernel, and arguments about which the same is known.

Looking at arguments the long way takes fifty times as long as a small kernel.  What the long way made is kept under what
it can depend on: of arrays the element type, shape, strides, alignment and whether they are read-only, of constants
the value, of other numbers the type.  Anything else (lists, tuples, tensors of other libraries) always goes the long way.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, cast

from tilewright.cutile import known
from tilewright.cutile.binding import Binding
from tilewright.cutile.facts import DIVISOR
from tilewright.cutile.known import CutileKernel, Known, RepeatedLaunch
from tilewright.cutile.parameters import LeafNode, Parameters
from tilewright.host.addresses import array_address, is_tensor_type, tensor_memory


def find(kernel: Any, arguments: Sequence[object]) -> tuple[RepeatedLaunch, list[Any]] | None:
    """The launch for such arguments, if there was one before, and what varies in them."""
    of_kernel = known.find(kernel)
    if of_kernel is None:
        return None
    looked = _look(of_kernel, arguments)
    if looked is None:
        return None
    key, varying = looked
    found = of_kernel.launches.get((id(kernel._compiler_options), *key))
    return None if found is None else (found, varying)


def remember(
    kernel: Any, parameters: Parameters, arguments: Sequence[object], binding: Binding, compiled: CutileKernel
) -> None:
    """Keep a launch, if its arguments are of the simple kinds."""
    if not all(isinstance(node, LeafNode) for node in parameters.nodes):
        return
    of_kernel = known.known(kernel)
    looked = _look(of_kernel, arguments)
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


def _look(known: Known, arguments: Sequence[Any]) -> tuple[list[Hashable], list[Any]] | None:
    """What a launch depends on, and what varies; None for arguments that go the long way."""
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
