"""The inverse error functions, the gamma function and the scaled complementary error function, as formulas.

Everything is computed in f64; results for f32 are rounded from there and are within 0.501 units in the last place.  Errors
for f64 stand beside the functions: the largest of many thousand arguments on the CPU, against `mpmath`.  The coefficients
were fitted on Chebyshev nodes with 60 digits, from the definitions of the functions; below each table stand its range and
the error that it leaves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilewright.dialects.cuda_tile.enums import ComparisonPredicate
from tilewright.dialects.cuda_tile.ops import float as floats
from tilewright.ir.value import Value
from tilewright.lowering.triton_to_cuda_tile.elementwise import formulas
from tilewright.lowering.triton_to_cuda_tile.elementwise.formulas import EQUAL, LESS
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter

CENTRAL = (
    -3.5932028927020693e-22,
    3.194015548136271e-21,
    1.999259988861535e-20,
    -3.4734793888538036e-19,
    6.075050702072414e-19,
    1.5510787009902526e-17,
    -1.2215637192404172e-16,
    -3.94018812230432e-17,
    6.521333511502239e-15,
    -4.0020031087558496e-14,
    -8.07192593899004e-14,
    2.6305268312595183e-12,
    -1.2978805369932565e-11,
    -5.414303283919504e-11,
    1.051223377050429e-09,
    -4.1126604371632185e-09,
    -2.907039127564132e-08,
    4.23478816822246e-07,
    -1.3654691758785656e-06,
    -1.3882523393957483e-05,
    0.00018673420801981186,
    -0.0007407025341546431,
    -0.006033670871426851,
    0.24015818242558834,
    1.6536545626831027,
)
"""``erfinv(x) / x`` by powers of ``w - 3.125`` with ``w = -log(1 - x * x)`` from 0 to 6.25: within 8e-18 of its value."""
MIDDLE = (
    149520.16907682474,
    59542.65277765614,
    -62402.88668232791,
    -25005.38115197993,
    16874.82767405178,
    4991.407466354723,
    -4060.079023640079,
    -327.0414536388875,
    795.2281679352809,
    -136.67520582438175,
    -90.73802228728196,
    50.081426129404875,
    -4.186746046748053,
    -5.7331841060481255,
    3.25102713771715,
    -0.8303310876370981,
    -0.05748078124645116,
    0.23767925567761114,
    -0.20570181025478368,
    0.11400604587151118,
    -0.010219541887394335,
    -0.07904039680772133,
    0.09909805909537471,
    0.9599458953390443,
)
"""``erfinv(x) / r`` by powers of ``(r - 4) / (r + 4)`` with ``r = sqrt(w)`` from 2.5 to 6.0625: within 3e-18 of its value."""
FAR = (
    0.0028900844824447432,
    -0.017879226797282488,
    0.052720723140142055,
    -0.10087338518134567,
    0.1445767096310051,
    -0.17077334070825967,
    0.1781778561396943,
    -0.17167910304518294,
    0.15559040472865412,
    -0.13222567240716976,
    0.10294629467329205,
    -0.0694084219546228,
    0.03362411250490505,
    0.0015828078884413733,
    -0.033276637201150455,
    0.05707771199857446,
    -0.0689685287539425,
    0.05461419905368596,
    0.9812885216958581,
)
"""``erfinv(x) / r`` by powers of ``(r - 7) / (r + 7)``, from 6.0625 to 27.5: within 2e-17 of its value."""
STIRLING = (
    7.345088254436362e-05,
    -0.0008471729447691752,
    0.0046356591860489795,
    -0.01608881204740894,
    0.040049000922955935,
    -0.07693300742963448,
    0.12041025090574184,
    -0.1609781498920761,
    0.19222629941377312,
    -0.21368101026898087,
    0.22878406387901382,
    -0.24146688337787114,
    0.2544030082556527,
    -0.2690882665949989,
    0.2865108527269861,
    -0.3077565885154973,
    0.33439694821190613,
    -0.36708492259927306,
    0.40056960300625305,
    -0.41978787754841074,
    2.718281828459045,
)
"""``gamma(x) * exp(x) / x**(x - 1/2)`` by powers of ``(x - 1) / (x + 1)``, from 1 on: within 2e-17 of its value."""
ROOTS = (
    0.07180313229366406,
    -0.060927512181592196,
    -0.016452584130950618,
    0.0011299443094620408,
    0.03586654639436169,
    -0.03179867072001614,
    0.0217275512834219,
    -0.02590703502465805,
    0.02782482298233591,
    -0.030822227031818937,
    0.030728410735895766,
    -0.03497069698561468,
    0.03509415933879631,
    -0.040769104527683515,
    0.04082398562526955,
    -0.04889318754486364,
    0.048798680229140044,
    -0.06121615503492575,
    0.060692732845446594,
    -0.08248419686660832,
    0.08069143503681536,
    -0.13040622141453523,
    0.12431098684608177,
    -0.37331787077249706,
    0.3795771606305589,
)
"""``lgamma(x) / ((x - 1) * (x - 2))`` by powers of ``(x - 2.5) / (x + 2.5)`` from 1 to 6: within 5e-18 of its value."""
LOG_STIRLING = (
    -0.016450184918873966,
    0.005901549297067006,
    -0.001906405156123843,
    0.0008416117568838537,
    -0.0005952371351851137,
    0.0007936507903643918,
    -0.0027777777777734623,
    0.08333333333333333,
)
"""``x * (lgamma(x) - (x - 1/2) * log(x) + x - log(2 * pi) / 2)`` by powers of ``1 / (x * x)``, from 6 on: within 2e-17
of its value."""
CENTRAL_END = 6.25
_HALF_LOG_TURN = float.fromhex("0x1.d67f1c864beb4p-1")
"""Half the logarithm of two pi."""
MIDDLE_END = 6.0625
GAMMA_END = 200.0
"""The argument from which on the gamma function is infinite; below the negative of it the result is 0.

172 and -186 would suffice.
"""
ROOTS_END = 6.0


def _scaled_by(
    emit: CudaTileEmitter, factor: Value, x: Value, center: float, coefficients: Sequence[float]
) -> Value:
    """Return ``factor`` times a polynomial in ``(x - center) / (x + center)``, the coefficient of the highest
    power first.
    """
    return emit.times(factor, emit.polynomial(formulas.fraction(emit, x, center), coefficients))


def _inverse_error(emit: CudaTileEmitter, x: Value, decay: Value, *, is_far: bool) -> Value:
    """Return the inverse of the error function at ``x``, given ``decay = 1 - x * x`` computed without
    cancellation. Set ``is_far`` if ``decay`` may be smaller than the difference of ``x`` from 1 in f64
    allows, as for the inverse of the complementary error function: then one more range of ``w`` is computed.

    ``w = -log(decay)`` stretches the range near 1: the result is ``x`` times a function of ``w`` up to 6.25,
    and beyond ``sqrt(w)`` times functions of it.
    """
    w: Value = emit(floats.NegFOp, formulas.logarithm(emit, decay))
    central = emit.times(x, emit.polynomial(emit.minus(w, emit.like(CENTRAL_END / 2, w)), CENTRAL))
    root = formulas.square_root(emit, w)
    bound = emit.like(MIDDLE_END, root)
    tail = _scaled_by(emit, root, emit(floats.MinFOp, root, bound), 4, MIDDLE)
    if is_far:
        tail = emit.choose(emit.ordered(LESS, root, bound), tail, _scaled_by(emit, root, root, 7, FAR))
    is_central = emit.ordered(LESS, w, emit.like(CENTRAL_END, w))
    return emit.choose(is_central, central, formulas.copy_sign(emit, tail, x))


@formulas.in_double
def erfinv(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the number whose error function is ``x``: infinite at 1 and -1, NaN beyond; within 2.8 units in the last
    place.
    """
    one = emit.like(1, x)
    return _inverse_error(emit, x, emit.times(emit.minus(one, x), emit.plus(one, x)), is_far=False)


@formulas.in_double
def erfcinv(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the number whose complementary error function is ``x``, from 0 (infinity) to 2 (minus infinity); within
    2.8 units.
    """
    decay = emit.times(x, emit.minus(emit.like(2, x), x))
    return _inverse_error(emit, emit.minus(emit.like(1, x), x), decay, is_far=True)


@formulas.in_double
def normcdfinv(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the inverse of the normal distribution function: ``-sqrt(2) * erfcinv(2 * x)``; within 3.4 units
    in the last place.
    """
    twice = emit.plus(x, x)
    decay = emit.times(twice, emit.minus(emit.like(2, x), twice))
    found = _inverse_error(emit, emit.minus(twice, emit.like(1, x)), decay, is_far=True)
    return emit.times(emit.like(math.sqrt(2), x), found)


@formulas.in_double
def erfcx(emit: CudaTileEmitter, x: Value) -> Value:
    """Return ``exp(x * x) * erfc(x)``; for negative `x`, ``2 * exp(x * x)`` minus its value at ``-x``.

    Within 5 units in the last place.
    """
    size = formulas.magnitude(emit, x)
    right = formulas.scaled_complement(emit, size, formulas.DOUBLE)
    power = formulas.exponential_of_square(emit, emit(floats.MinFOp, size, emit.like(27, x)))
    left = emit.minus(emit.plus(power, power), right)
    return emit.choose(emit.ordered(LESS, x, emit.like(0, x)), left, right)


def _is_whole(emit: CudaTileEmitter, x: Value) -> Value:
    return emit.ordered(EQUAL, emit(floats.FloorOp, x), x)


def _log_gamma_from_one(emit: CudaTileEmitter, below: Value, x: Value) -> Value:
    """Return the logarithm of the gamma function from 1 on; ``below`` is ``x - 1``, exact where ``x`` itself
    is rounded. Up to 6 the roots at 1 and 2 are factors, so that nothing cancels near them; beyond 6 it is
    Stirling's formula.
    """
    one = emit.like(1, x)
    roots = emit.times(below, emit.minus(below, one))
    ratio = emit.polynomial(formulas.fraction(emit, x, 2.5), ROOTS)
    near = emit.fused(roots, ratio, emit.like(0, x))  # the sum with 0 makes 0 of -0
    inverse = emit.over(one, x)
    rest = emit.polynomial(emit.times(inverse, inverse), LOG_STIRLING)
    rest = emit.fused(inverse, rest, emit.like(_HALF_LOG_TURN - 0.5, x))
    slope = emit.minus(formulas.logarithm(emit, x), one)
    far = emit.fused(emit.minus(x, emit.like(0.5, x)), slope, rest)
    return emit.choose(emit.ordered(LESS, x, emit.like(ROOTS_END, x)), near, far)


@formulas.in_double
def lgamma(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the logarithm of the absolute value of the gamma function, infinite at its poles.

    From 0 to 1 it is ``lgamma(1 + x) - log(x)``, below 0 ``-lgamma(1 - x) - log(abs(sin(pi * x)) / pi)``.
    From -2.2 on it is within 5 units in the last place. Below -2.2 the difference cancels near the roots:
    there the error is within 4 units of the largest of the result, 1 and ``lgamma(1 - x)``.
    """
    zero, one, size = emit.like(0, x), emit.like(1, x), formulas.magnitude(emit, x)
    is_below, is_negative = emit.ordered(LESS, x, one), emit.ordered(LESS, x, zero)
    below = emit.choose(is_below, size, emit.minus(x, one))
    value = _log_gamma_from_one(emit, below, emit.plus(below, one))
    sine = formulas.magnitude(emit, formulas.of_pi_times(floats.SinOp)(emit, size))
    part = emit.choose(is_below, size, one)
    part = emit.choose(is_negative, emit.times(sine, emit.like(1 / math.pi, x)), part)
    value = emit.choose(is_negative, emit(floats.NegFOp, value), value)
    value = emit.minus(value, formulas.logarithm(emit, part))
    not_positive = emit.ordered(ComparisonPredicate.LESS_THAN_OR_EQUAL, x, zero)
    is_pole = emit.both(not_positive, _is_whole(emit, x))
    return emit.choose(is_pole, emit.like(math.inf, x), value)


@formulas.in_double
def tgamma(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the gamma function, infinite at 0 and NaN at negative integers.

    From 1 on it is Stirling's formula with a fitted factor, the power in two halves that do not overflow;
    factorials are rounded to integers. From 0 to 1 it is ``gamma(1 + x) / x``, below 0 the reflection ``pi /
    (sin(pi * x) * gamma(1 - x))`` without a rounded sum. It is within 6.5 units in the last place.
    """
    zero, one, size = emit.like(0, x), emit.like(1, x), formulas.magnitude(emit, x)
    is_small, is_whole = emit.ordered(LESS, size, one), _is_whole(emit, x)
    z = emit.choose(is_small, emit.plus(size, one), size)
    z = emit(floats.MinFOp, z, emit.like(GAMMA_END, x), propagate_nan=True)
    half = emit(floats.PowOp, z, emit.fused(z, emit.like(0.5, x), emit.like(-0.25, x)))
    rest = _scaled_by(emit, formulas.exponential(emit, emit(floats.NegFOp, z)), z, 1, STIRLING)
    rest = emit.times(half, rest)
    right = emit.over(emit.times(half, rest), emit.choose(is_small, x, one))
    right = emit.choose(is_whole, formulas.rounded_even(emit, right), right)
    sine = emit.times(formulas.of_pi_times(floats.SinOp)(emit, x), emit.choose(is_small, one, size))
    left = emit.over(emit.over(emit.like(math.pi, x), emit.times(sine, half)), rest)
    left = emit.choose(is_whole, emit.like(math.nan, x), left)
    return emit.choose(emit.ordered(LESS, x, zero), left, right)
