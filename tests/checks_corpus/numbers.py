"""NaN and infinities that a kernel makes, and promises that it does not keep."""

from __future__ import annotations

import cuda.tile as ct
import numpy as np

from tests.checks_corpus.cases import Case


def floats(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float32)


def halves(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float16)


def ints(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


@ct.kernel
def normalise(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, tile / ct.sum(tile))  # fault: division by a sum of zero


@ct.kernel
def normalise_safely(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, tile / (ct.sum(tile) + 1e-6))


@ct.kernel
def logarithm(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, ct.log(tile))  # fault: the logarithm of zero


@ct.kernel
def logarithm_of_more(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, ct.log(tile + 1))


@ct.kernel
def root(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, ct.sqrt(tile - 1))  # fault: the root of a negative number


@ct.kernel
def root_of_square(x, out):
    tile = ct.load(x, 0, shape=(4,)) - 1
    ct.store(out, 0, ct.sqrt(tile * tile))


@ct.kernel
def inverse_root(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, ct.rsqrt(tile))  # fault: the inverse root of zero


@ct.kernel
def inverse_root_of_more(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, ct.rsqrt(tile + 1e-6))


@ct.kernel
def exponentials(x, out):
    tile = ct.load(x, 0, shape=(4,)) + 100
    ct.store(out, 0, ct.exp(tile))  # fault: exponentials without their maximum


@ct.kernel
def shifted_exponentials(x, out):
    tile = ct.load(x, 0, shape=(4,)) + 100
    ct.store(out, 0, ct.exp(tile - ct.max(tile)))


@ct.kernel
def half_product(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, tile * tile)  # fault: a product too large for f16


@ct.kernel
def scaled_product(x, out):
    tile = ct.load(x, 0, shape=(4,)) / 256
    ct.store(out, 0, tile * tile)


@ct.kernel
def narrowed(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, (tile * 1e6).astype(ct.float16))  # fault: a conversion too large for f16


@ct.kernel
def narrowed_safely(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, ct.astype(ct.minimum(tile * 1e6, 60000.0), ct.float16))


ZERO = ct.PaddingMode.ZERO


@ct.kernel
def padded_past_the_end(x, out):
    tile = ct.load(x, ct.bid(0) + 2, shape=(4,), padding_mode=ZERO)  # fault: a padded tile past the end
    ct.store(out, 0, tile)


@ct.kernel
def padded_last_tile(x, out):
    ct.store(out, 0, ct.load(x, ct.bid(0) + 1, shape=(4,), padding_mode=ZERO))


@ct.kernel
def promised_bounds(x, out):
    tile = ct.load(x, 0, shape=(4,), check_bounds=False)  # fault: bounds that were promised
    ct.store(out, 0, tile)


@ct.kernel
def checked_bounds(x, out):
    tile = ct.load(x, 0, shape=(4,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, 0, tile)


@ct.kernel
def not_a_number(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, tile.astype(ct.int32))  # fault: NaN as an integer


@ct.kernel
def replaced_number(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, ct.where(tile == tile, tile, 0.0).astype(ct.int32))


@ct.kernel
def quotient(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, 100 // tile)  # fault: an integer divided by zero


@ct.kernel
def guarded_quotient(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, 100 // ct.maximum(tile, 1))


LOWEST = -(2**31)
LARGEST = 2**31 - 1


@ct.kernel
def lowest_quotient(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, LOWEST // tile)  # fault: a quotient that does not fit its type


@ct.kernel
def guarded_lowest_quotient(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, LOWEST // ct.maximum(tile, 1))


@ct.kernel
def shifted(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, 1 << tile)  # fault: a shift by the width of the type


@ct.kernel
def masked_shift(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, 1 << (tile & 31))


ASSUMED = """
cuda_tile.module @m {
  entry @k(%%x: tile<ptr<i32>>, %%n: tile<i32>) {
    %%value = %s // fault: %s
    %%stored = store_ptr_tko weak %%x, %%value : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""


def promise(mistake: str, statement: str, wrong: int, kept: int, words: str) -> Case:
    """A promise about a number, which one number breaks and another one keeps."""
    text = ASSUMED % (statement, mistake)
    return Case(
        "promises",
        mistake,
        text,
        text,
        lambda: [ints(0), wrong],
        words,
        right_arguments=lambda: [ints(0), kept],
    )


MADE = "finite operands gave a NaN or an infinity"

CASES = (
    Case(
        "fpcheck",
        "division by a sum of zero",
        normalise,
        normalise_safely,
        lambda: [floats(0, 0, 0, 0), floats(0, 0, 0, 0)],
        f"division: {MADE} at element [0]",
        simulated=f"division: {MADE}",
    ),
    *(
        Case(
            "fpcheck",
            mistake,
            faulty,
            right,
            lambda: [floats(1, 0, 2, 3), floats(0, 0, 0, 0)],
            f"{words} at element [{element}]",
            simulated=words,
        )
        for mistake, faulty, right, words, element in (
            ("the logarithm of zero", logarithm, logarithm_of_more, f"logarithm: {MADE}", 1),
            ("the root of a negative number", root, root_of_square, f"square root: {MADE}", 1),
            (
                "the inverse root of zero",
                inverse_root,
                inverse_root_of_more,
                f"inverse square root: {MADE}",
                1,
            ),
            (
                "exponentials without their maximum",
                exponentials,
                shifted_exponentials,
                f"exp: {MADE}",
                0,
            ),
        )
    ),
    Case(
        "fpcheck",
        "a product too large for f16",
        half_product,
        scaled_product,
        lambda: [halves(1, 300, 2, 3), halves(0, 0, 0, 0)],
        "product: finite operands",
    ),
    Case(
        "fpcheck",
        "a conversion too large for f16",
        narrowed,
        narrowed_safely,
        lambda: [floats(0, 1, 0, 0), halves(0, 0, 0, 0)],
        "conversion of a float: finite operands",
    ),
    Case(
        "promises",
        "a padded tile past the end",
        padded_past_the_end,
        padded_last_tile,
        lambda: [floats(*range(8)), floats(0, 0, 0, 0)],
        "tile index 2 of dimension 0 lies outside x, which has 2 tiles of 4 elements",
    ),
    Case(
        "promises",
        "bounds that were promised",
        promised_bounds,
        checked_bounds,
        lambda: [floats(1, 2, 3), floats(0, 0, 0, 0)],
        "inbounds is promised",
    ),
    Case(
        "promises",
        "NaN as an integer",
        not_a_number,
        replaced_number,
        lambda: [floats(0, np.nan, 1, 2), ints(0, 0, 0, 0)],
        "conversion to an integer: a NaN",
    ),
    *(
        Case("promises", mistake, faulty, right, lambda: [ints(1, 2, 0, 32), ints(0, 0, 0, 0)], words)
        for mistake, faulty, right, words in (
            ("an integer divided by zero", quotient, guarded_quotient, "division by zero"),
            ("a shift by the width of the type", shifted, masked_shift, "shift by the width"),
        )
    ),
    Case(
        "promises",
        "a quotient that does not fit its type",
        lowest_quotient,
        guarded_lowest_quotient,
        lambda: [ints(1, 2, -1, 32), ints(0, 0, 0, 0)],
        "integer division: division by zero, or of the smallest number by -1",
    ),
    promise("a divisor", "assume div_by<16>, %n : tile<i32>", 24, 32, "div_by does not hold"),
    promise("an upper bound", "assume bounded<0, 10>, %n : tile<i32>", 11, 10, "bounded does not hold"),
    promise("a lower bound", "assume bounded<0, ?>, %n : tile<i32>", -1, 0, "bounded does not hold"),
    promise(
        "a sum that does not wrap around",
        "addi %n, %n overflow<no_signed_wrap> : tile<i32>",
        LARGEST,
        LARGEST // 2,
        "the signed result does not fit its type",
    ),
    promise(
        "a product that does not wrap around",
        "muli %n, %n overflow<no_unsigned_wrap> : tile<i32>",
        2**16,
        2**16 - 1,
        "the unsigned result does not fit its type",
    ),
)
