"""`fuse-fma`: what is fused, why the rest is not, and that the result is the correctly rounded one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from tests.optimizer.optimizing import kernel, launch, names, run
from tilewright.driver.startup import context
from tilewright.ir.arithmetic.float_arithmetic import RoundingDirection, round_exact
from tilewright.ir.builtin_types import FloatType, bf16, f16, f32, f64
from tilewright.ir.operation import Operation
from tilewright.optimizer.fuse_fma import FuseFMA
from tilewright.passes.ir_printing import RewriteTracing
from tilewright.passes.manager import PassManager

MODES = {
    "nearest_even": RoundingDirection.TO_NEAREST_EVEN,
    "zero": RoundingDirection.TOWARD_ZERO,
    "negative_inf": RoundingDirection.DOWNWARD,
    "positive_inf": RoundingDirection.UPWARD,
}


def scalar(body: str, element: str = "f32") -> Operation:
    """A kernel that stores ``%r``, computed from ``%a %b %c %d``."""
    body = f"{body}\nstore_ptr_tko weak %out, %r : tile<ptr<{element}>>, tile<{element}> -> token"
    parameters = "".join(f", %{name}: tile<{element}>" for name in "abcd")
    return kernel(body, f"%out: tile<ptr<{element}>>{parameters}")


def arithmetic(module: Operation) -> list[str]:
    return [name for name in names(module) if name != "store_ptr_tko"]


def fused(body: str) -> list[str]:
    return arithmetic(run(scalar(body), "fuse-fma"))


PRODUCT = "%p = mulf %a, %b : tile<f32>\n"


def test_sums_and_differences() -> None:
    assert fused(PRODUCT + "%r = addf %p, %c : tile<f32>") == ["fma"]
    assert fused(PRODUCT + "%r = addf %c, %p : tile<f32>") == ["fma"]
    assert fused(PRODUCT + "%r = subf %p, %c : tile<f32>") == ["negf", "fma"]


def test_chains() -> None:
    two = PRODUCT + "%q = mulf %c, %d : tile<f32>\n"
    assert fused(two + "%r = addf %p, %q : tile<f32>") == ["mulf", "fma"]
    assert fused(two + "%s = addf %a, %p : tile<f32>\n%r = addf %s, %q : tile<f32>") == ["fma", "fma"]


def test_the_operands_keep_their_places() -> None:
    module = run(scalar(PRODUCT + "%r = addf %c, %p : tile<f32>"), "fuse-fma")
    assert "fma %arg1, %arg2, %arg3" in str(module)


def test_modes_are_kept() -> None:
    body = "%p = mulf %a, %b rounding<zero> flush_to_zero : tile<f32>\n"
    module = run(scalar(body + "%r = subf %p, %c rounding<zero> flush_to_zero : tile<f32>"), "fuse-fma")
    assert "fma %arg1, %arg2, %0 rounding<zero> flush_to_zero : tile<f32>" in str(module)


REFUSED = {
    "%r = addf %a, %b : tile<f32>": "operand 1 of 'cuda_tile.addf' is not 'cuda_tile.mulf'",
    PRODUCT + "%r = subf %c, %p : tile<f32>": ("operand 0 of 'cuda_tile.subf' is not 'cuda_tile.mulf'"),
    "%q = negf %a : tile<f32>\n%r = addf %q, %b : tile<f32>": (
        "operand 0 of 'cuda_tile.addf' is not 'cuda_tile.mulf'"
    ),
    PRODUCT + "%r = addf %p, %p : tile<f32>": "operand 1 of 'cuda_tile.addf' is used elsewhere, too",
    PRODUCT
    + "%s = addf %p, %c : tile<f32>\n%r = subf %p, %s : tile<f32>": "operand 0 of 'cuda_tile.subf' is used elsewhere, too",
    PRODUCT + "%r = addf %p, %c rounding<zero> : tile<f32>": (
        "the product is rounded to nearest_even, the sum to zero"
    ),
    PRODUCT + "%r = addf %p, %c flush_to_zero : tile<f32>": (
        "only one of the two flushes subnormals to zero"
    ),
    PRODUCT + "%r = subf %p, %c flush_to_zero : tile<f32>": (
        "only one of the two flushes subnormals to zero"
    ),
}


@pytest.mark.parametrize("body", REFUSED, ids=REFUSED.values())
def test_refusals(body: str) -> None:
    module = scalar(body)
    before, listener = str(module), Listener()
    manager = PassManager(context(), "cuda_tile.module")
    manager.add(FuseFMA())
    manager.instrument(RewriteTracing(listener))
    manager.run(module)
    assert str(module) == before
    assert REFUSED[body] in listener.text


class Listener:
    """Collects what is written."""

    text = ""

    def write(self, text: str, /) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""


def test_a_second_run_changes_nothing() -> None:
    module = run(scalar(PRODUCT + "%r = subf %p, %c : tile<f32>"), "fuse-fma")
    before = str(module)
    assert str(run(module, "fuse-fma")) == before


def exact(kind: FloatType, mode: RoundingDirection, a: int, b: int, c: int) -> int:
    """The bit pattern of ``a * b + c`` rounded once, for patterns of finite numbers."""
    x, y, z = (kind.format.decode(pattern) for pattern in (a, b, c))
    value = Fraction(x) * Fraction(y) + Fraction(z)
    product_negative = np.signbit(x) != np.signbit(y)
    if Fraction(x) * Fraction(y) == 0 == z and product_negative == np.signbit(z):
        negative = bool(np.signbit(z))
    else:
        negative = mode is RoundingDirection.DOWNWARD
    rounded = round_exact(kind.format, value, mode, negative_zero=negative)
    assert rounded is not None
    return rounded


@st.composite
def finite(draw: Any, kind: FloatType) -> int:
    """The pattern of a finite number."""
    pattern = draw(st.integers(0, 2**kind.width - 1))
    assume(np.isfinite(kind.format.decode(pattern)))
    return pattern


@given(st.data(), st.sampled_from([f16, bf16, f32, f64]), st.sampled_from(list(MODES)), st.booleans())
@settings(max_examples=60, deadline=None)
def test_results_are_rounded_once(data: Any, kind: FloatType, mode: str, difference: bool) -> None:
    element = kind.spelling
    a, b, c = (data.draw(finite(kind)) for _ in range(3))
    suffix = "" if mode == "nearest_even" else f" rounding<{mode}>"
    combine = "subf" if difference else "addf"
    body = f"%p = mulf %a, %b{suffix} : tile<{element}>\n%r = {combine} %p, %c{suffix} : tile<{element}>"
    module = run(scalar(body, element), "fuse-fma")
    assert "fma" in names(module)
    out = np.zeros(kind.width // 8, np.uint8)
    numbers = [kind.format.decode(pattern) for pattern in (a, b, c, c)]
    assert launch(module, [out, *numbers]) == ""
    addend = c ^ 1 << kind.width - 1 if difference else c
    assert int.from_bytes(out.tobytes(), "little") == exact(kind, MODES[mode], a, b, addend)
