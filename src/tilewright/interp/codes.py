"""Diagnostic codes of the interpreter and of its run-time checks (TW04xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

BAD_LAUNCH = code(
    400,
    "the launch is not possible",
    "The module has no entry of that name, or the grid is not three extents from 1 to 2^24 - 1 with at most 2^62 tile "
    "blocks in all.",
)
BAD_ARGUMENT = code(
    401,
    "an argument does not fit its parameter",
    "An entry takes one flat value per parameter, in order: a number or ctypes scalar for a number, a "
    "NumPy array (or anything with the buffer protocol) or an address for a pointer. The message names "
    "the parameter, its type and the given value.",
)
OUT_OF_BOUNDS = code(
    402,
    "access outside every known buffer",
    "A load, store or atomic touches memory that belongs to no argument, global or alloca. Usual causes: a missing "
    "mask at the edge of an array, lengths or strides that do not describe the array, an index computed in the "
    "wrong unit (tiles instead of elements). When every pointer parameter was given as an array and the kernel makes "
    "no pointers from integers, all legal memory is known and the interpreter always checks; otherwise memory "
    "that is mapped into the process is accepted unless `--check memcheck` is given. Memcheck also tells a tile of a "
    "view that lies outside of its array altogether: what is stored there is lost.",
)
MISALIGNED = code(
    403,
    "misaligned access",
    "The address of an element must be a multiple of its size; hardware refuses anything else.",
)
READ_ONLY = code(
    404,
    "write to read-only memory",
    "A store or atomic touches an array that is not writeable, or a global declared constant.",
)
UNDEFINED_VALUE = code(
    405,
    "use of an undefined value",
    "Elements that a load leaves unspecified (outside the tensor without a padding value, or masked off without "
    "one) reach memory, an address, a condition or a print. Give the view a padding value, or mask the elements "
    "with `select` before they are used. Reported under `--check initcheck`.",
)
DATA_RACE = code(
    406,
    "data race",
    "Two accesses touch the same byte, at least one writes, they are not both atomic, and nothing orders them: no "
    "token or data flow within a tile block, no release/acquire pair between tile blocks. The result depends on "
    "timing. Reported under `--check racecheck`.",
)
ASSERTION_FAILED = code(
    407,
    "assertion failed",
    "The condition of an `assert` was false for at least one element. Execution goes on to the end of the grid, "
    "then the launch fails.",
)
BROKEN_PROMISE = code(
    408,
    "broken promise",
    "The program promised something that does not hold (an `assume`, an overflow flag, `inbounds`) or met a case "
    "that Tile IR leaves undefined (division by zero, an index outside the index space). Compilers may turn this "
    "into anything. Reported under `--check promises`.",
)
ILLEGAL_STEP = code(
    409,
    "loop step is not positive",
    "The step of a `for` must be positive; with a step of zero or below the loop has no meaning.",
)
STEP_LIMIT = code(
    410,
    "too many steps",
    "The launch executed more operations than its limit allows. The message names the operation it stopped at; a "
    "loop around it may be waiting for something that no tile block ever does.",
)
NON_FINITE = code(
    411,
    "NaN or infinity from finite operands",
    "An operation on finite numbers gave a NaN or an infinity. Reported under `--check fpcheck`.",
)
UNSUPPORTED = code(
    412,
    "no meaning here",
    "The operation is legal IR but has no meaning in this form; the message says why and what to write instead.",
)
INEXACT = code(
    413,
    "an operation loses more digits than its formula has to",
    "The error of a result is larger than the same formula in f32 (f64 for f64) explains: a sum runs in a narrow format, a "
    "value is rounded to a narrow format before it is used further, a difference cancels the digits in which its operands "
    "are right, or a number left the range of its format. `tilewright compare` computes the exact value beside each element "
    "and names the first operation whose error is beyond its bound. Convert to f32 before the operation, and to the narrow "
    "format once, where the result is stored.",
)
BLOCK_ORDER = code(
    414,
    "results depend on the order of tile blocks",
    "With the tile blocks in another order, or on another number of threads, a launch stored other bits. Atomic additions of "
    "floats round in the order in which they arrive; plain stores of several tile blocks to one element leave the last one. "
    "Let each tile block write elements of its own, and add up in a second launch, if results have to be repeatable. "
    "Reported by `tilewright compare`.",
)
BEYOND_PROMISE = code(
    415,
    "a target is less exact than the operations promise",
    "The result of a target is further from the exact value than the rounding of all operations together allows: half a unit "
    "in the last place for correctly rounded ones, two for elementary functions, any order of sums. The target computes "
    "something else than the kernel says, which is a defect of the target. Reported by `tilewright compare`.",
)
OTHER_THAN_REFERENCE = code(
    416,
    "a result differs from its reference",
    "The exact value of the kernel's formula, without any rounding, is not the expected one, so the formula itself is wrong: "
    "a constant, an axis, a sign, a factor that is missing. The place is the operation whose change makes the results fit, "
    "if there is one, else the store. Reported by `tilewright compare` for launches with a reference.",
)
