"""What conversions answer, by the words of the ISA."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.ptxsim.definitions import numbers
from tests.ptxsim.definitions.answers import Answer, Codes, Compute, define
from tests.ptxsim.definitions.floating import reader, writer
from tests.ptxsim.definitions.integers import Integers
from tests.ptxsim.definitions.numbers import FORMATS, INFINITE, UNKNOWN, Value

_MODES = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}
_PLAIN = frozenset(
    {"f16", "bf16", "f32", "f64", *(f"{kind}{bits}" for kind in "us" for bits in (8, 16, 32, 64))}
)


def is_sound(chosen: Mapping[str, str]) -> bool:
    """Whether the ISA has a conversion between numbers with these modifiers."""
    to, source = chosen["dtype"], chosen["atype"]
    if to not in _PLAIN or source not in _PLAIN:
        return True
    floats = [name for name in (to, source) if name in FORMATS]
    if "ftz" in chosen and "f32" not in floats:
        return False
    if not floats:
        return "rnd" not in chosen and "irnd" not in chosen
    if "bf16" in floats and "sat" in chosen:
        return False
    if to not in FORMATS:
        return "irnd" in chosen
    if source not in FORMATS or _narrows(to, source):
        return "rnd" in chosen
    return "rnd" not in chosen and ("irnd" not in chosen or to == source)


def _narrows(to: str, source: str) -> bool:
    wide, small = FORMATS[source], FORMATS[to]
    return small.fraction < wide.fraction or small.exponent < wide.exponent


def _subnormals(name: str, chosen: Mapping[str, str]) -> Mapping[str, str]:
    """`.ftz` is of single precision only."""
    return chosen if name == "f32" else {key: word for key, word in chosen.items() if key != "ftz"}


def _of_integer(chosen: Mapping[str, str]) -> Callable[[int], Value]:
    kind = Integers(chosen["atype"])

    def read(word: int) -> Value:
        value = kind.read(word)
        return (int(value < 0), abs(value), 0)

    return read


def _to_integer(chosen: Mapping[str, str]) -> Callable[[Value], int]:
    """The nearest number of the type; NaN is the top bit if 64 bits are involved, and else zero."""
    kind, mode = Integers(chosen["dtype"]), _MODES[chosen["irnd"]]
    unknown = 1 << (kind.bits - 1) if chosen["atype"] == "f64" or kind.bits == 64 else 0

    def write(value: Value) -> int:
        sign, whole, exponent = numbers.integral(value, mode)
        if whole == UNKNOWN:
            return unknown
        size = 1 << 80 if whole == INFINITE else whole << exponent
        return kind.clamped(-size if sign else size) & kind.ones

    return write


@define("cvt")
def cvt(chosen: Mapping[str, str]) -> Compute:
    """Between numbers of any two types."""
    to, source = chosen["dtype"], chosen["atype"]
    if to not in _PLAIN or source not in _PLAIN:
        return packed(chosen)
    if to not in FORMATS and source not in FORMATS:
        return _between_integers(chosen)
    plain = _subnormals(source, chosen)
    read = reader(FORMATS[source], plain) if source in FORMATS else _of_integer(chosen)
    if to not in FORMATS:
        write_whole = _to_integer(chosen)
        return lambda word: write_whole(read(word))
    write = writer(FORMATS[to], _subnormals(to, chosen))
    mode = _MODES.get(chosen.get("irnd", ""))
    return lambda word: write(numbers.integral(read(word), mode) if mode else read(word))


def _between_integers(chosen: Mapping[str, str]) -> Compute:
    source, to = Integers(chosen["atype"]), Integers(chosen["dtype"])

    def compute(word: int) -> int:
        value = source.read(word)
        return (to.clamped(value) if "sat" in chosen else value) & to.ones

    return compute


def packed(chosen: Mapping[str, str]) -> Compute:
    """To and from formats of 4, 6, 8, 16 and 19 bits; of two numbers the first becomes the upper one."""
    to, source = chosen["dtype"], chosen["atype"]
    if source == "ue8m0x2":
        return lambda word: _power(word >> 8) << 16 | _power(word & 255)
    if to == "ue8m0x2":
        return _scales(chosen)
    target, origin = FORMATS[to.removesuffix("x2")], FORMATS[source.removesuffix("x2")]
    read, write = reader(origin, {}), writer(target, chosen, chosen["rnd"])
    if to == "tf32":
        return lambda word: _shifted(write(read(word)), 13)
    width, step = (target.bits if target.bits != 6 else 8), (origin.bits if origin.bits != 6 else 8)

    def one(code: int) -> tuple[int, ...]:
        answer = write(read(code & ((1 << origin.bits) - 1)))
        return answer if isinstance(answer, tuple) else (answer,)

    def both(*words: int) -> Answer:
        high, low = words if len(words) == 2 else (words[0] >> step, words[0])
        answers = tuple(first << width | second for first in one(high) for second in one(low))
        return answers[0] if len(answers) == 1 else answers

    return both


def _power(code: int) -> int:
    """The power of two that a scale means, in the upper half of single precision; all ones are NaN."""
    value = (0, UNKNOWN, 0) if code == 255 else (0, 1, code - 127)
    return numbers.coded(value, FORMATS["bf16"])


def _scales(chosen: Mapping[str, str]) -> Compute:
    """The least or the greatest scale on the one side of each magnitude; a number below all scales becomes the least."""
    source = chosen["atype"].removesuffix("x2")
    read = reader(FORMATS[source], {})
    beyond = 254 if "satfinite" in chosen else 255

    def one(word: int) -> int:
        _, significand, exponent = read(word)
        if significand in (INFINITE, UNKNOWN):
            return beyond if significand == INFINITE else 255
        if not significand:
            return 0
        power = exponent + significand.bit_length() - 1
        above = significand & (significand - 1) and chosen["rnd"] == "rp"
        code = max(power + 127 + bool(above), 0)
        return code if code < 255 else beyond

    def both(*words: int) -> Answer:
        high, low = words if len(words) == 2 else (words[0] >> 16, words[0] & 0xFFFF)
        return one(high) << 8 | one(low)

    return both


def _shifted(answer: Codes, count: int) -> Codes:
    return tuple(code << count for code in answer) if isinstance(answer, tuple) else answer << count


@define("cvt.pack")
def cvt_pack(chosen: Mapping[str, str]) -> Compute:
    """Two numbers, each the nearest of a small type, below a third operand that they push upwards."""
    kind, source = Integers(chosen["dtype"]), Integers("s32")

    def compute(a: int, b: int, c: int = 0) -> int:
        high, low = (kind.clamped(source.read(word)) & kind.ones for word in (a, b))
        return (c << 2 * kind.bits | high << kind.bits | low) & 0xFFFFFFFF

    return compute
