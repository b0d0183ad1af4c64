"""The Bessel functions of NVIDIA's library, as formulas of f64; functions of f32 are computed in f64 and rounded once.

Below 8 a function is the product of a power, of the distances to zeros, and of a polynomial of ``1 - x*x / 64`` that has
no zero: its coefficients have one sign, so that no digits cancel.  The functions of the second kind are such a product
beside a logarithm times the function of the first kind.  From 8 on the oscillating functions are Hankel's form, two slow
functions times a cosine and a sine, and the growing ones an exponential times a slow function; the slow functions are
polynomials of ``2 * (8 / x)**2 - 1`` or ``16 / x - 1``.

The coefficients were fitted on Chebyshev nodes with 60 digits: their error is below 3e-16 of the slow functions that
are multiplied by sines of the phase, and below 3e-17 of all others. Two of them were then moved by units in the last
place, so that J of order 0 is 1 at 0. Zeros are squares, as the sums of two numbers.

Errors of f64, the largest of many thousand arguments on the CPU against `mpmath`, for arguments of any size:

- I: 4 units in the last place.
- J below 8: 5 units, next to its zeros too.  Y below 8: 8 units or, near its zeros, 4e-16.
- J and Y from 8 on: 5 times ``2**-53 * sqrt(2 / (pi * x))``, which is 1.1e-16 at most and has few digits next to zeros.

Errors of f32 are 0.51 units.  Next to zeros where f64 has few digits f32 has fewer, within the same distances.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.dialects.cuda_tile.ops import float as floats
from tilewright.ir.value import Value
from tilewright.lowering.triton_to_cuda_tile.elementwise import formulas
from tilewright.lowering.triton_to_cuda_tile.elementwise.formulas import EQUAL, INFINITY, LESS
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import Formula

BORDER = 8
"""The argument from which on the formulas for large arguments are used, instead of those for small arguments.
"""
LARGEST = 1000
"""Larger arguments can be replaced by this one: their exponential is infinite."""


@dataclass(frozen=True, slots=True)
class ZeroFactors:
    """A function of ``x*x`` below the border, in factored form. ``zeros`` are the squares of its zeros, each
    as the sum of two numbers; ``coefficients`` belong to the other factor, a polynomial in ``1 - x*x / 64``,
    the highest power first.
    """

    zeros: Sequence[tuple[float, float]]
    coefficients: Sequence[float]


@dataclass(frozen=True, slots=True)
class BesselCoefficients:
    """The Bessel functions of one order, of the first kind (J) and of the second (Y).

    ``first`` is J, and ``rest`` is Y without the terms with a logarithm and with a pole, both without the
    power ``x**order``. From the border on J is ``(cosine * cos(p) - 8 / x * sine * sin(p)) / sqrt(pi / 2 *
    x)`` for the phase ``p = x - (2 * order + 1) * pi / 4``, and Y the same with the phase reduced by ``pi /
    2``.
    """

    order: int
    first: ZeroFactors
    rest: ZeroFactors
    cosine: Sequence[float]
    sine: Sequence[float]


@dataclass(frozen=True, slots=True)
class ModifiedBesselCoefficients:
    """The modified Bessel function of the first kind, I, of one order.

    Below 8 it is a polynomial in ``x*x / 64`` with the coefficients ``series``, times ``x`` for order 1. From
    8 on, ``I * exp(8 - x) * sqrt(x)`` is a polynomial in ``16 / x - 1`` with the coefficients ``slow``. The
    highest power is first.
    """

    order: int
    series: Sequence[float]
    slow: Sequence[float]


BESSEL_ZERO = BesselCoefficients(
    0,
    ZeroFactors(
        ((5.783185962946784, 4.123247343506204e-16), (30.471262343662087, -2.366534485750659e-16)),
        (
            3.722605935125672e-13,
            3.772941991223715e-12,
            6.572903718946708e-11,
            8.552528311759046e-10,
            9.815542206889463e-09,
            9.595330645088123e-08,
            7.895177011064387e-07,
            5.372980141329914e-06,
            2.9604873258349502e-05,
            0.00012855143969404793,
            0.00042460926989994425,
            0.0010162823041464531,
            0.001641549848154562,
            0.0015945269601802215,
            0.0007453607032954437,
            8.793873470842997e-05,
        ),
    ),
    ZeroFactors(
        (
            (0.43221455686510835, 2.963752271727107e-18),
            (22.401876406482863, -1.6416006262029987e-15),
            (64.13062028233875, 1.885070420460392e-15),
        ),
        (
            1.2885478778303573e-14,
            1.3266365846014756e-13,
            2.2313759103467376e-12,
            2.8537004302556904e-11,
            3.201024606408198e-10,
            3.052356658240664e-09,
            2.442201422419171e-08,
            1.6099129920390554e-07,
            8.549457443680942e-07,
            3.553881170847017e-06,
            1.1130115135619107e-05,
            2.489199589741603e-05,
            3.6647842661232706e-05,
            3.084398109164773e-05,
            1.0747514001588944e-05,
        ),
    ),
    (
        -1.0251790052831013e-13,
        3.455012974455743e-13,
        -1.0157485021065676e-12,
        4.674289307624388e-12,
        -2.491146535471666e-11,
        1.550640953808597e-10,
        -1.2121098178951377e-09,
        1.2803747743828764e-08,
        -2.0527448261170675e-07,
        6.137416081283524e-06,
        -0.0005363673192129672,
        0.9994572757882519,
    ),
    (
        -3.417306155904644e-14,
        9.894020065590535e-14,
        -2.0979723806283122e-13,
        8.172520584990984e-13,
        -3.605043103124562e-12,
        1.7060404730873274e-11,
        -9.469830663448226e-11,
        6.432698991315309e-10,
        -5.668717017471248e-09,
        7.106214965332309e-08,
        -1.477138832589449e-06,
        6.833149099340043e-05,
        -0.01555511387951352,
    ),
)
MODIFIED_BESSEL_ZERO = ModifiedBesselCoefficients(
    0,
    (
        6.725742072411059e-08,
        5.695329606162454e-07,
        9.734997549064576e-06,
        0.00011573616439279102,
        0.0012272420944860261,
        0.011040613612716828,
        0.083497792831347,
        0.5218596123987362,
        2.641914877279706,
        10.567659350685679,
        32.36345679181142,
        72.81777777756619,
        113.77777777779527,
        113.7777777777769,
        64.00000000000003,
        16.0,
        1.0,
    ),
    (
        2.7916930572486205e-07,
        1.0818955459841722e-07,
        -1.97735501984882e-06,
        -8.356763957330249e-07,
        6.5488431650912115e-06,
        3.2941251499513468e-06,
        -1.3639532526003663e-05,
        -9.344193308576319e-06,
        1.955549799372432e-05,
        2.1868214521195625e-05,
        -1.5018383774682046e-05,
        -3.9724527554941404e-05,
        -2.0417589378323365e-05,
        2.245959822980009e-05,
        6.42880895196817e-05,
        0.00011723777994899519,
        0.00026447161756249133,
        0.0008864164885236822,
        0.004423287548907668,
        0.033216915608099376,
        0.4060543949158857,
        10.017664276583304,
        1198.8712780306598,
    ),
)
BESSEL_ONE = BesselCoefficients(
    1,
    ZeroFactors(
        ((14.681970642123893, -9.858177825793294e-17), (49.2184563216946, 5.086354069436341e-16)),
        (
            1.935190364529179e-13,
            1.848785170266421e-12,
            3.0041780021477965e-11,
            3.6380161477318215e-10,
            3.8607680836379195e-09,
            3.4661308317605526e-08,
            2.597490306513581e-07,
            1.5936449654994287e-06,
            7.81581238721541e-06,
            2.971249258492992e-05,
            8.402550596832427e-05,
            0.0001667784652160717,
            0.00021255683740965088,
            0.0001489086539919993,
            4.0232757124382825e-05,
        ),
    ),
    ZeroFactors(
        ((4.665393301856689, -3.037453048996309e-16), (42.44928520957812, -1.260678383513839e-15)),
        (
            -4.3743499032632564e-13,
            -4.060070048992953e-12,
            -6.51116669831098e-11,
            -7.714575826023444e-10,
            -8.003272647461461e-09,
            -7.004926140873652e-08,
            -5.101879555699911e-07,
            -3.030260942258606e-06,
            -1.4314318044074703e-05,
            -5.205820506371805e-05,
            -0.00013949544681267635,
            -0.00025860729553860417,
            -0.00030057434454963515,
            -0.0001832689592668467,
            -3.8036365830738356e-05,
        ),
    ),
    (
        1.0923713653079462e-13,
        -3.697244591244297e-13,
        1.0954826479277623e-12,
        -5.071495295696752e-12,
        2.72345126828134e-11,
        -1.7137279585997966e-10,
        1.3602969253877949e-09,
        -1.4708498448932155e-08,
        2.453676633366693e-07,
        -7.959694699684788e-06,
        0.0008988049416705183,
        1.0009070262780821,
    ),
    (
        3.620117603894229e-14,
        -1.0515607072587001e-13,
        2.2462055932168237e-13,
        -8.785014186436455e-13,
        3.8929927766683146e-12,
        -1.855351813063018e-11,
        1.0394482901993273e-10,
        -7.1510179969292e-10,
        6.420133519314915e-09,
        -8.29196082083117e-08,
        1.8212018511674905e-06,
        -9.621458822050365e-05,
        0.04677687402744898,
    ),
)
MODIFIED_BESSEL_ONE = ModifiedBesselCoefficients(
    1,
    (
        1.928290973956198e-09,
        1.8208540612207638e-08,
        3.2296334640595265e-07,
        4.136891729366129e-06,
        4.719640328434738e-05,
        0.000460031136855711,
        0.0037953498876495445,
        0.026092983107241872,
        0.1467730476806568,
        0.6604787097482001,
        2.3116754850547006,
        6.068148148142398,
        11.377777777778252,
        14.222222222222198,
        10.666666666666668,
        4.0,
        0.5,
    ),
    (
        -2.9071486338479187e-07,
        -1.0032210962582091e-07,
        2.0619552578607868e-06,
        7.8520731980885e-07,
        -6.8472729026397824e-06,
        -3.1581891034139358e-06,
        1.4340188757145083e-05,
        9.201879672926785e-06,
        -2.081853251005184e-05,
        -2.2191567280515925e-05,
        1.6673601279413125e-05,
        4.160985409511077e-05,
        2.0390166977690158e-05,
        -2.5067418367946175e-05,
        -6.973207088455956e-05,
        -0.0001285745752647947,
        -0.0002981284598576191,
        -0.0010385220731801068,
        -0.005469790323197427,
        -0.04482927741766866,
        -0.6535326012393726,
        -29.063080004455642,
        1160.7804465749152,
    ),
)


def _with_parity(emit: CudaTileEmitter, value: Value, x: Value, order: int) -> Value:
    """Return the function of this order at ``x``, given its ``value`` at ``abs(x)``: negated if ``x`` is
    negative and the order is odd.
    """
    return emit.times(value, formulas.copy_sign(emit, emit.like(1, x), x)) if order % 2 else value


def _inside(emit: CudaTileEmitter, inside: Value, outside: Value, size: Value) -> Value:
    """Return, element by element, `inside` where `size` is below `BORDER`, else `outside`, also where `size`
    is NaN.
    """
    return emit.choose(emit.ordered(LESS, size, emit.like(BORDER, size)), inside, outside)


# --- the growing functions


def _modified_first_kind(how: ModifiedBesselCoefficients) -> Formula:
    """Return the formula of the modified Bessel function I of the first kind, for all arguments: infinite at
    infinities, even or odd as its order.
    """

    def formula(emit: CudaTileEmitter, x: Value) -> Value:
        size = formulas.magnitude(emit, x)
        eighth = emit.times(size, emit.like(1 / BORDER, size))
        small = emit.polynomial(emit.times(eighth, eighth), how.series)
        if how.order:
            small = emit.times(size, small)
        return _with_parity(emit, _inside(emit, small, _exponential(emit, size, how), size), x, how.order)

    return formula


def _exponential(emit: CudaTileEmitter, size: Value, how: ModifiedBesselCoefficients) -> Value:
    """Return I for arguments `size` from `BORDER` on; ``size - BORDER``, which is exact, is the argument of
    the exponential.
    """
    bounded = emit(floats.MinFOp, size, emit.like(LARGEST, size), propagate_nan=True)
    place = emit.minus(emit.over(emit.like(2 * BORDER, size), bounded), emit.like(1, size))
    slow = emit.over(emit.polynomial(place, how.slow), formulas.square_root(emit, bounded))
    return emit.times(formulas.exponential(emit, emit.minus(bounded, emit.like(BORDER, size))), slow)


# --- the oscillating functions


def _product(emit: CudaTileEmitter, size: Value, how: ZeroFactors, order: int) -> Value:
    """Return ``size**order`` times the factored function `how`, for arguments below `BORDER` and the orders 0
    and 1. It is accurate near its zeros, too.
    """
    one = emit.like(1, size)
    part = emit.times(size, emit.like(-1 / BORDER**2, size))
    value = emit.polynomial(emit.fused(part, size, one), how.coefficients)
    for high, low in how.zeros:
        distance = emit.fused(size, size, emit.like(-high, size))
        value = emit.times(value, emit.minus(distance, emit.like(low, size)))
    return emit.times(value, size) if order else value


def _amplitudes(emit: CudaTileEmitter, size: Value, how: BesselCoefficients) -> tuple[Value, Value]:
    """Return the factors of the cosine and of the sine of the phase, for arguments from `BORDER` on.

    Both contain ``1 / sqrt(pi * x)``, because `_phase` returns ``sqrt(2)`` times the cosine and the sine.
    """
    near = emit.over(emit.like(BORDER, size), size)
    place = emit.fused(emit.plus(near, near), near, emit.like(-1, size))
    scale = emit.over(emit.like(1 / math.sqrt(math.pi), size), formulas.square_root(emit, size))
    cosine, sine = (emit.polynomial(place, how.cosine), emit.polynomial(place, how.sine))
    return emit.times(cosine, scale), emit.times(emit.times(sine, near), scale)


def _phase(emit: CudaTileEmitter, size: Value, order: int) -> tuple[Value, Value]:
    """Return ``sqrt(2)`` times the cosine and the sine of ``size - (2 * order + 1) * pi / 4``, for the orders
    0 and 1.
    """
    cosine, sine = emit(floats.CosOp, size), emit(floats.SinOp, size)
    total, difference = emit.plus(sine, cosine), emit.minus(sine, cosine)
    return (difference, emit(floats.NegFOp, total)) if order else (total, difference)


def _first_kind(how: BesselCoefficients) -> Formula:
    """Return the formula of J, the function of the first kind: zero at infinities, even or odd as its order."""

    def formula(emit: CudaTileEmitter, x: Value) -> Value:
        size = formulas.magnitude(emit, x)
        cosine, sine = _phase(emit, size, how.order)
        p, q = _amplitudes(emit, size, how)
        large = emit.minus(emit.times(p, cosine), emit.times(q, sine))
        value = _inside(emit, _product(emit, size, how.first, how.order), large, size)
        return _with_parity(emit, _zero_at_infinity(emit, value, size), x, how.order)

    return formula


def _second_kind(how: BesselCoefficients) -> Formula:
    """Return the formula of Y, the function of the second kind: NaN for negative arguments, negative infinity
    at 0, and 0 at infinity.
    """

    def formula(emit: CudaTileEmitter, x: Value) -> Value:
        cosine, sine = _phase(emit, x, how.order)
        p, q = _amplitudes(emit, x, how)
        large = emit.fused(p, sine, emit.times(q, cosine))
        value = _inside(emit, _with_logarithm(emit, x, how), large, x)
        pole = emit.ordered(EQUAL, x, emit.like(0, x))
        return emit.choose(pole, emit.like(-INFINITY, x), _zero_at_infinity(emit, value, x))

    return formula


def _with_logarithm(emit: CudaTileEmitter, x: Value, how: BesselCoefficients) -> Value:
    """Return Y for arguments below `BORDER`, except at 0."""
    factor = emit.like(2 / math.pi, x)
    first = emit.times(factor, _product(emit, x, how.first, how.order))
    value = emit.fused(formulas.logarithm(emit, x), first, _product(emit, x, how.rest, how.order))
    return emit.minus(value, emit.over(factor, x)) if how.order else value


def _zero_at_infinity(emit: CudaTileEmitter, value: Value, x: Value) -> Value:
    """Return ``value``, or 0 where ``x`` is infinite."""
    return emit.choose(emit.ordered(EQUAL, x, emit.like(INFINITY, x)), emit.like(0, x), value)


FIRST_KIND = _first_kind(BESSEL_ZERO), _first_kind(BESSEL_ONE)
"""J of the orders 0 and 1, in f64."""
SECOND_KIND = _second_kind(BESSEL_ZERO), _second_kind(BESSEL_ONE)
"""Y of the orders 0 and 1, in f64."""
BESSEL: dict[str, Formula] = {
    "cyl_bessel_i0": formulas.in_double(_modified_first_kind(MODIFIED_BESSEL_ZERO)),
    "cyl_bessel_i1": formulas.in_double(_modified_first_kind(MODIFIED_BESSEL_ONE)),
    "j0": formulas.in_double(FIRST_KIND[0]),
    "j1": formulas.in_double(FIRST_KIND[1]),
    "y0": formulas.in_double(SECOND_KIND[0]),
    "y1": formulas.in_double(SECOND_KIND[1]),
}
"""The formula of each Bessel function, by the name of the function for f64."""
