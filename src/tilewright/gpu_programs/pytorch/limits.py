"""Arguments that PyTorch accepts on the CPU and not on a GPU, with the exceptions and messages of its CUDA
build.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_PRODUCTS = {
    **dict.fromkeys(("mm", "addmm", "addbmm"), "addmm_cuda"),
    **dict.fromkeys(("bmm", "baddbmm"), "baddbmm_cuda"),
    **dict.fromkeys(("mv", "addmv"), "addmv_impl_cuda"),
    **{name: name for name in ("dot", "vdot")},
}
"""Products, which a GPU computes for floating-point elements only, and their names in PyTorch's errors."""
_SAME_TYPE = ("native_layer_norm", "native_group_norm")
"""Operations whose tensors must have one type on a GPU; on the CPU, scales may be wider."""


class Limits:
    """The checks of arguments that PyTorch makes on a GPU and not on the CPU, for some operations of ATen."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._names = {
            torch.int64: "Long",
            torch.int32: "Int",
            torch.int16: "Short",
            torch.int8: "Char",
            torch.uint8: "Byte",
            torch.bool: "Bool",
            torch.float64: "Double",
            torch.float32: "Float",
            torch.float16: "Half",
            torch.bfloat16: "BFloat16",
        }
        self._rules: dict[str, Callable[[Any, Any], None]] = {
            **{f"aten::{name}": self._floats for name in _PRODUCTS},
            **{f"aten::{name}": self._same_type for name in _SAME_TYPE},
            "aten::_pack_padded_sequence": self._host_lengths,
        }

    def check(self, function: Any, arguments: Any) -> None:
        """Raise the exception that PyTorch raises on a GPU, and not on the CPU, for a call of `function` with
        these positional arguments: `RuntimeError` or `NotImplementedError`. Do nothing for other calls.
        """
        rule = self._rules.get(function._schema.name)
        if rule is not None:
            rule(function, arguments)

    def _floats(self, function: Any, arguments: Any) -> None:
        """Raise `NotImplementedError` for a product whose elements are not floating-point, and `RuntimeError`
        for factors of different types if the call names the type of the result.

        Other factors of different types, and empty factors, have errors of their own.
        """
        tensors = self._tensors(arguments)
        if function._overloadname.startswith("dtype"):  # for other overloads PyTorch's CPU build raises
            self._same_factors(function, tensors[-2:])
        types = {tensor.dtype for tensor in tensors}
        if len(types) > 1 or not all(tensor.numel() for tensor in tensors):
            return
        if not (tensors[0].is_floating_point() or tensors[0].is_complex()):
            name = _PRODUCTS[function._schema.name.partition("::")[2]]
            raise NotImplementedError(f"\"{name}\" not implemented for '{self._name(tensors[0])}'")

    def _same_factors(self, function: Any, factors: list[Any]) -> None:
        first, second = factors
        if first.dtype != second.dtype:
            is_batch = "bmm" in function._schema.name
            words = "batch1 and batch2 must have the same dtype"
            if not is_batch:
                types = f"{self._name(first)} and {self._name(second)}"
                words = f"mat1 and mat2 must have the same dtype, but got {types}"
            raise RuntimeError(words)

    def _same_type(self, function: Any, arguments: Any) -> None:
        first, *others = self._tensors(arguments)
        for other in others:
            if other.dtype != first.dtype:
                words = f"expected scalar type {self._name(first)} but found {self._name(other)}"
                raise RuntimeError(words)

    def _host_lengths(self, function: Any, arguments: Any) -> None:
        lengths = arguments[1]
        if lengths.is_cuda:
            words = f"but got {lengths.dim()}D {lengths.device} {self._name(lengths)} tensor"
            raise RuntimeError(f"'lengths' argument should be a 1D CPU int64 tensor, {words}")

    def _tensors(self, arguments: Any) -> list[Any]:
        return [value for value in arguments if isinstance(value, self._torch.Tensor)]

    def _name(self, tensor: Any) -> str:
        """Return the name of a tensor's element type in PyTorch's errors."""
        return self._names.get(tensor.dtype, str(tensor.dtype))
