"""Operations of PyTorch that are less exact on the CPU than on a GPU, made as exact as on a GPU.

Programs compare kernels with PyTorch's own operations. A GPU adds up products of half precision in f32 and
rounds once; PyTorch rounds more often on the CPU, also in normalisations. Its elementary functions of f32,
softmax among them, are not correctly rounded on the CPU either. So all of these are computed in f64 and
rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_PRODUCTS = ("mm", "bmm", "addmm", "baddbmm", "addbmm", "mv", "addmv", "dot", "vdot", "addr")
_SOFTMAX = ("_softmax", "_log_softmax", "_softmax_backward_data", "_log_softmax_backward_data")
_ELEMENTARY = (
    *("sqrt", "rsqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("exp", "exp2", "log", "log2"),
)
DTYPE_OUT = "dtype_out"
"""The overload of a product with arguments for the result type and for the tensor that receives the result.
"""

Operation = Callable[[Any, Any, dict[str, Any]], Any]


class Precision:
    """Calls operations of ATen, some of them as exactly as on a GPU: products and normalisations of half
    precision, softmax and elementary functions are computed in f64 and rounded once, and products of f32 with
    factors rounded to tf32 if the program allows it.
    """

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._half = (torch.float16, torch.bfloat16)
        self._narrow = (*self._half, torch.float32)
        self._ways: dict[str, Operation] = {
            **{f"aten::{name}": self._product for name in _PRODUCTS},
            **{f"aten::{name}": self._elementary for name in _ELEMENTARY},
            "aten::native_layer_norm": self._normalised,
            "aten::native_layer_norm_backward": self._normalised,
            **{f"aten::{name}": self._softmax for name in _SOFTMAX},
            "aten::abs": self._magnitude,
        }

    def call(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        """Call an operation of ATen: by the rule of this class for it, if there is one, and otherwise
        unchanged. A call with ``out`` is unchanged as well, except of the overload `DTYPE_OUT`.
        """
        way = self._ways.get(function._schema.name)
        if way is None or ("out" in named and function._overloadname != DTYPE_OUT):
            return function(*arguments, **named)
        return way(function, arguments, named)

    def _product(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        """Compute a product: half precision in f64, rounded once; f32 with operands rounded to tf32 if the
        program allows it; a product with a requested result type in f64, rounded to this type. Other
        products, and operands of different types, are left to PyTorch.
        """
        torch = self._torch
        result, rest = _result_type(torch, arguments, named)
        if result is None and self._is_mixed(arguments):  # PyTorch refuses it itself, or promotes as on a GPU
            return function(*arguments, **named)
        if result is not None:  # an overload of mm and others that only GPUs have
            factors = {name: named[name] for name in ("alpha", "beta") if name in named}
            made = self._in_double(function.overloadpacket.default, rest, factors).to(result)
            return named["out"].copy_(made) if "out" in named else made
        dtypes = [value.dtype for value in arguments if isinstance(value, torch.Tensor)]
        if torch.float32 in dtypes and torch.get_float32_matmul_precision() != "highest":
            return self._in_double(function, [self._tf32(value) for value in arguments], named).float()
        if dtypes and dtypes[0] in self._half:
            return self._in_double(function, arguments, named).to(dtypes[0])
        return function(*arguments, **named)

    def _is_mixed(self, arguments: Any) -> bool:
        """Return whether the tensors among the operands of a product have different types."""
        return len({value.dtype for value in arguments if isinstance(value, self._torch.Tensor)}) > 1

    def _normalised(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        """Compute a normalisation of half precision in f64; other types are left to PyTorch. The mean and the
        deviation are f32, as on a GPU; gradients have the type of the input.
        """
        half = arguments[0].dtype
        if half not in self._half:
            return function(*arguments, **named)
        first, *others = self._in_double(function, arguments, named)
        rest = half if function._schema.name.endswith("backward") else self._torch.float32
        return (first.to(half), *(None if one is None else one.to(rest) for one in others))

    def _softmax(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        """Compute softmax or its gradient for f32 and half precision in f64, rounded once. The result has the
        type of the first argument.
        """
        narrow = arguments[0].dtype
        if narrow not in self._narrow:
            return function(*arguments, **named)
        wide = [self._torch.float64 if value is narrow else value for value in arguments]
        return self._in_double(function, wide, named).to(narrow)

    def _in_double(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        return function(*map(self._wide, arguments), **named)

    def _wide(self, value: Any) -> Any:
        is_narrow = isinstance(value, self._torch.Tensor) and value.dtype in self._narrow
        return value.double() if is_narrow else value

    def _tf32(self, value: Any) -> Any:
        """Return an f32 tensor rounded to tf32, to nearest even. Infinities and NaNs are unchanged, and so is
        any value that is not an f32 tensor.
        """
        torch = self._torch
        if not isinstance(value, torch.Tensor) or value.dtype != torch.float32:
            return value
        bits = value.contiguous().view(torch.int32)
        rounded = ((bits + 0xFFF + ((bits >> 13) & 1)) & ~0x1FFF).view(torch.float32)
        return torch.where(value.isfinite(), rounded, value)

    def _elementary(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        """Compute an elementary function in f64, rounded once to the type of the operand. Integers count as
        f32, as everywhere in PyTorch; f64 and complex numbers are left to PyTorch.
        """
        source = arguments[0]
        if source.dtype == self._torch.float64 or source.is_complex():
            return function(*arguments, **named)
        result = source.dtype if source.is_floating_point() else self._torch.float32
        return function(source.to(result).double()).to(result)

    def _magnitude(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        """Compute ``abs``, also of booleans, which PyTorch accepts on a GPU only."""
        source = arguments[0]
        return source.clone() if source.dtype == self._torch.bool else function(*arguments, **named)


def _result_type(torch: Any, arguments: Any, named: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Return the requested type of the result of a product, the first dtype among the arguments, or None, and
    the positional arguments without dtypes.
    """
    given = [value for value in (*arguments, *named.values()) if isinstance(value, torch.dtype)]
    return (given[0] if given else None), [value for value in arguments if not isinstance(value, torch.dtype)]
