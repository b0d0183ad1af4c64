"""Random functions of arith, math, scf and memref that have no undefined behaviour, for differential tests.

Each takes a buffer of 64-bit inputs and one of 64-bit outputs.  Divisors are positive, shift distances below the width,
conversions of floats to integers in range, loops short.
"""

from __future__ import annotations

import random
from collections.abc import Callable

INTEGERS = {"i1": 1, "i3": 3, "i8": 8, "i16": 16, "i24": 24, "i32": 32, "i64": 64, "i128": 128}
FLOATS = {"f32": 32, "f64": 64}
VECTORS = ("vector<4xi32>", "vector<2x2xi16>", "vector<4xf32>", "vector<2x3xf64>")
INPUTS, OUTPUTS = 8, 11
EDGES = (
    0,
    1,
    2,
    (1 << 64) - 1,
    1 << 63,
    (1 << 63) - 1,
    0x7F,
    0x80,
    0x7FFFFFFF,
    0x80000000,
    0x3F800000,  # 1.0 in f32
    0x7F800000,  # infinity in f32
    0x7FC00000,  # NaN in f32
    0x80000001,  # a negative subnormal in f32
    0x3FF0000000000000,  # 1.0 in f64
    0x7FF0000000000000,  # infinity in f64
    0x7FF8000000000000,  # NaN in f64
    0xC024000000000000,  # -10.0 in f64
)
BINARY = ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui"]
DIVISIONS = ["divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"]
SHIFTS = ["shli", "shrsi", "shrui"]
FLOAT_BINARY = ["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"]
PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
FLOAT_PREDICATES = [
    "oeq",
    "ogt",
    "oge",
    "olt",
    "ole",
    "one",
    "ord",
    "ueq",
    "ugt",
    "uge",
    "ult",
    "ule",
    "une",
    "uno",
]
FLOAT_UNARY = ["absf", "ceil", "floor", "trunc", "roundeven", "sqrt", "rsqrt"]
INTEGER_UNARY = ["absi", "ctlz", "cttz", "ctpop"]


class Program:
    """One function in the making; ``values`` are the names that are in scope, by type."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.values: dict[str, list[str]] = {}
        self.count = 0
        self.depth = 0

    # --- text

    def line(self, text: str) -> None:
        self.lines.append("  " * (self.depth + 1) + text)

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def define(self, type: str, text: str) -> str:
        """A new value; it can be used from now on in this scope."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        self.values.setdefault(type, []).append(name)
        return name

    def constant(self, type: str, value: object) -> str:
        """A constant; operands are not chosen among these, for folding would leave little to run."""
        name = self.fresh()
        self.line(f"{name} = arith.constant {value} : {type}")
        return name

    def any(self, type: str) -> str:
        """A value of a type: one in scope, or one made from an input."""
        known = self.values.get(type, [])
        if len(known) > 1 and self.random.random() < 0.9:
            return self.random.choice(known[-5:])
        return self.make(type)

    # --- values of a type

    def make(self, type: str) -> str:
        """A value of a type from a random input."""
        if type == "i64":
            return self.read(self.random.randrange(INPUTS))
        if type == "index":
            return self.define(type, f"arith.index_cast {self.any('i64')} : i64 to index")
        if type in INTEGERS:
            word = "extsi" if INTEGERS[type] > 64 else "trunci"
            return self.define(type, f"arith.{word} {self.any('i64')} : i64 to {type}")
        if type in FLOATS:
            bits = f"i{FLOATS[type]}"
            return self.define(type, f"arith.bitcast {self.any(bits)} : {bits} to {type}")
        return self.vector(type)

    def read(self, position: int) -> str:
        """An input."""
        subscript = self.constant("index", position)
        return self.define("i64", f"memref.load %in[{subscript}] : memref<?xi64>")

    def start(self) -> None:
        """All inputs, and two values of every type."""
        for position in range(INPUTS):
            self.read(position)
        for type in (*INTEGERS, "index", *FLOATS, *VECTORS):
            self.make(type)
            self.make(type)

    def vector(self, type: str) -> str:
        """A constant vector: its lanes differ, so that mixed-up lanes show."""
        shape = [int(part) for part in type[7:-1].split("x")[:-1]]
        element = type[7:-1].split("x")[-1]
        numbers = iter(range(1, 100))

        def level(extents: list[int]) -> str:
            if not extents:
                value = next(numbers) * self.random.choice((1, -3, 7))
                return f"{value}.5" if element in FLOATS else str(value)
            return "[" + ", ".join(level(extents[1:]) for _ in range(extents[0])) + "]"

        return self.define(type, f"arith.constant dense<{level(shape)}> : {type}")

    # --- steps

    def step(self) -> None:
        """One random operation."""
        choices: list[Callable[[], None]] = [
            self.integer_binary,
            self.integer_binary,
            self.division,
            self.shift,
            self.compare,
            self.select,
            self.integer_cast,
            self.index_arithmetic,
            self.extended,
            self.integer_unary,
            self.float_binary,
            self.float_compare,
            self.float_unary,
            self.float_cast,
            self.vector_step,
            self.memory,
            self.subview,
        ]
        if self.depth < 3:
            choices += [self.branch, self.loop, self.while_loop, self.switch, self.region, self.parallel]
        self.random.choice(choices)()

    def integer_binary(self) -> None:
        type = self.random.choice([*INTEGERS, "index"])
        self.define(type, f"arith.{self.random.choice(BINARY)} {self.any(type)}, {self.any(type)} : {type}")

    def integer_unary(self) -> None:
        type = self.random.choice([t for t in INTEGERS if t != "i1"])
        self.define(type, f"math.{self.random.choice(INTEGER_UNARY)} {self.any(type)} : {type}")

    def division(self) -> None:
        type = self.random.choice([*(t for t in INTEGERS if t != "i1"), "index"])
        width = INTEGERS.get(type, 64)
        mask, one = self.constant(type, (1 << (width - 1)) - 1), self.constant(type, 1)
        positive = self.define(type, f"arith.andi {self.any(type)}, {mask} : {type}")
        divisor = self.define(type, f"arith.ori {positive}, {one} : {type}")
        self.define(type, f"arith.{self.random.choice(DIVISIONS)} {self.any(type)}, {divisor} : {type}")

    def shift(self) -> None:
        type = self.random.choice([t for t in INTEGERS if t not in ("i1", "i3")])
        width = self.constant(type, INTEGERS[type])
        distance = self.define(type, f"arith.remui {self.any(type)}, {width} : {type}")
        self.define(type, f"arith.{self.random.choice(SHIFTS)} {self.any(type)}, {distance} : {type}")

    def compare(self) -> None:
        type = self.random.choice([*INTEGERS, "index"])
        predicate = self.random.choice(PREDICATES)
        self.define("i1", f"arith.cmpi {predicate}, {self.any(type)}, {self.any(type)} : {type}")

    def select(self) -> None:
        type = self.random.choice([*INTEGERS, *FLOATS, *VECTORS])
        self.define(type, f"arith.select {self.any('i1')}, {self.any(type)}, {self.any(type)} : {type}")

    def integer_cast(self) -> None:
        source, target = self.random.sample(list(INTEGERS), 2)
        narrows = INTEGERS[target] < INTEGERS[source]
        word = "trunci" if narrows else self.random.choice(("extsi", "extui"))
        self.define(target, f"arith.{word} {self.any(source)} : {source} to {target}")

    def index_arithmetic(self) -> None:
        word = self.random.choice(("index_cast", "index_castui"))
        type = self.random.choice(("i8", "i32", "i64", "i128"))
        value = self.define("index", f"arith.{word} {self.any(type)} : {type} to index")
        self.define("i32", f"arith.{word} {value} : index to i32")

    def extended(self) -> None:
        type = self.random.choice([*(t for t in INTEGERS if t != "i128"), "index"])
        words = ("mulsi_extended", "mului_extended", "addui_extended")
        word = self.random.choice(
            words[:2] if type == "index" else words
        )  # mlir-opt fails on the third with index
        second = "i1" if word == "addui_extended" else type
        low, high = self.fresh(), self.fresh()
        types = f"{type}, i1" if word == "addui_extended" else type
        self.line(f"{low}, {high} = arith.{word} {self.any(type)}, {self.any(type)} : {types}")
        self.values.setdefault(type, []).append(low)
        self.values.setdefault(second, []).append(high)

    def float_binary(self) -> None:
        type = self.random.choice(list(FLOATS))
        word = self.random.choice(FLOAT_BINARY)
        self.define(type, f"arith.{word} {self.any(type)}, {self.any(type)} : {type}")

    def float_unary(self) -> None:
        type = self.random.choice(list(FLOATS))
        word = self.random.choice([*FLOAT_UNARY, "negf", "fma", "copysign", "isnan", "isfinite"])
        value = self.any(type)
        match word:
            case "negf":
                self.define(type, f"arith.negf {value} : {type}")
            case "fma":
                self.define(type, f"math.fma {value}, {self.any(type)}, {self.any(type)} : {type}")
            case "copysign":
                self.define(type, f"math.copysign {value}, {self.any(type)} : {type}")
            case "isnan" | "isfinite":
                self.define("i1", f"math.{word} {value} : {type}")
            case _:
                self.define(type, f"math.{word} {value} : {type}")

    def float_compare(self) -> None:
        type = self.random.choice(list(FLOATS))
        predicate = self.random.choice(FLOAT_PREDICATES)
        self.define("i1", f"arith.cmpf {predicate}, {self.any(type)}, {self.any(type)} : {type}")

    def float_cast(self) -> None:
        type, integer = self.random.choice(list(FLOATS)), self.random.choice(("i8", "i32", "i64"))
        match self.random.randrange(4):
            case 0:
                word = self.random.choice(("sitofp", "uitofp"))
                self.define(type, f"arith.{word} {self.any(integer)} : {integer} to {type}")
            case 1:
                self.define("f64", f"arith.extf {self.any('f32')} : f32 to f64")
            case 2:
                self.define("f32", f"arith.truncf {self.any('f64')} : f64 to f32")
            case _:
                low, high = self.constant(type, "0.0"), self.constant(type, "100.0")
                above = self.define(type, f"arith.maxnumf {self.any(type)}, {low} : {type}")
                inside = self.define(type, f"arith.minnumf {above}, {high} : {type}")
                word = self.random.choice(("fptosi", "fptoui"))
                self.define(integer, f"arith.{word} {inside} : {type} to {integer}")

    def vector_step(self) -> None:
        """Arithmetic on vectors; their bytes come out through a view of the same memory."""
        type = self.random.choice(VECTORS)
        element = type[7:-1].split("x")[-1]
        word = self.random.choice(("addf", "mulf", "subf") if element in FLOATS else BINARY)
        value = self.define(type, f"arith.{word} {self.any(type)}, {self.any(type)} : {type}")
        if type.count("x") > 1:
            mask = self.compare_vectors(type, element)
            self.define(type, f"arith.select {self.any('i1')}, {value}, {self.any(type)} : {type}")
            self.line(
                f"{self.fresh()} = arith.extui {mask} : {type.replace(element, 'i1')} to {type.replace(element, 'i8')}"
            )
            return
        raw, typed, words = self.fresh(), self.fresh(), self.fresh()
        zero = self.constant("index", 0)
        self.line(f"{raw} = memref.alloca() {{alignment = 16}} : memref<16xi8>")
        self.line(f"{typed} = memref.view {raw}[{zero}][] : memref<16xi8> to memref<1x{type}>")
        self.line(f"{words} = memref.view {raw}[{zero}][] : memref<16xi8> to memref<2xi64>")
        self.line(f"memref.store {value}, {typed}[{zero}] : memref<1x{type}>")
        for lane in range(2):
            place = self.constant("index", lane)
            self.define("i64", f"memref.load {words}[{place}] : memref<2xi64>")

    def compare_vectors(self, type: str, element: str) -> str:
        word, predicate = ("cmpf", "olt") if element in FLOATS else ("cmpi", "slt")
        name = self.fresh()
        self.line(f"{name} = arith.{word} {predicate}, {self.any(type)}, {self.any(type)} : {type}")
        return name

    # --- memory

    def memory(self) -> None:
        """Store into a local buffer of two dimensions and load from it."""
        type = self.random.choice(("i8", "i32", "i64", "f64", "f32", "index"))
        buffer = self.fresh()
        size = self.constant("index", 3)
        kind = self.random.choice(("alloca", "alloc"))
        self.line(f"{buffer} = memref.{kind}({size}) : memref<?x4x{type}>")
        zero = self.any(type)
        for row in range(3):
            place = self.constant("index", row), self.constant("index", self.random.randrange(4))
            self.line(f"memref.store {zero}, {buffer}[{place[0]}, {place[1]}] : memref<?x4x{type}>")
            self.define(type, f"memref.load {buffer}[{place[0]}, {place[1]}] : memref<?x4x{type}>")
        self.define("index", f"memref.dim {buffer}, {self.constant('index', 0)} : memref<?x4x{type}>")
        if kind == "alloc":
            self.line(f"memref.dealloc {buffer} : memref<?x4x{type}>")

    def subview(self) -> None:
        """Read inputs through a slice with an unknown offset and step."""
        start, view = self.constant("index", self.random.randrange(3)), self.fresh()
        step = self.constant("index", self.random.choice((1, 2)))
        result, size = "memref<?xi64, strided<[?], offset: ?>>", self.constant("index", 2)
        self.line(f"{view} = memref.subview %in[{start}] [{size}] [{step}] : memref<?xi64> to {result}")
        place = self.constant("index", self.random.randrange(2))
        self.define("i64", f"memref.load {view}[{place}] : {result}")
        self.define("index", f"memref.dim {view}, {self.constant('index', 0)} : {result}")

    # --- control flow

    def body(self, steps: int) -> None:
        """A few steps one level deeper."""
        for _ in range(steps):
            self.step()

    def scoped(self, build: Callable[[], None]) -> None:
        """Values defined inside are forgotten afterwards."""
        saved = {type: list(names) for type, names in self.values.items()}
        self.depth += 1
        build()
        self.depth -= 1
        self.values = saved

    def yielding(self, type: str, word: str = "scf.yield") -> Callable[[], None]:
        def build() -> None:
            self.body(1 + self.random.randrange(3))
            self.line(f"{word} {self.any(type)} : {type}")

        return build

    def result(self, type: str, text: str) -> str:
        name = self.fresh()
        self.line(f"{name} = {text} {{")
        return name

    def close(self, type: str, name: str) -> None:
        self.line("}")
        self.values.setdefault(type, []).append(name)

    def branch(self) -> None:
        type = self.random.choice([*INTEGERS, *FLOATS, "index"])
        name = self.result(type, f"scf.if {self.any('i1')} -> {type}")
        self.scoped(self.yielding(type))
        self.line("} else {")
        self.scoped(self.yielding(type))
        self.close(type, name)

    def bound(self) -> str:
        """A number from 0 to 7."""
        return self.define("index", f"arith.andi {self.any('index')}, {self.constant('index', 7)} : index")

    def loop(self) -> None:
        type = self.random.choice([*INTEGERS, *FLOATS])
        start, stop, step = self.constant("index", 0), self.bound(), self.constant("index", 2)
        counter, carried, initial = self.fresh(), self.fresh(), self.any(type)
        text = (
            f"scf.for {counter} = {start} to {stop} step {step} iter_args({carried} = {initial}) -> ({type})"
        )
        name = self.result(type, text)

        def build() -> None:
            self.values.setdefault("index", []).append(counter)
            self.values.setdefault(type, []).append(carried)
            self.yielding(type)()

        self.scoped(build)
        self.close(type, name)

    def while_loop(self) -> None:
        """Counts down from a small number and carries a value."""
        type = self.random.choice([*INTEGERS, *FLOATS])
        count, initial = self.bound(), self.any(type)
        left, carried, inner, kept = (self.fresh() for _ in range(4))
        results = self.fresh()
        zero, one = self.constant("index", 0), self.constant("index", 1)
        types = f"(index, {type})"
        self.line(
            f"{results}:2 = scf.while ({left} = {count}, {carried} = {initial}) : {types} -> {types} {{"
        )

        def test() -> None:
            self.values.setdefault(type, []).append(carried)
            going = self.define("i1", f"arith.cmpi sgt, {left}, {zero} : index")
            self.line(f"scf.condition({going}) {left}, {self.any(type)} : index, {type}")

        def rest() -> None:
            self.values.setdefault(type, []).append(kept)
            self.body(self.random.randrange(2))
            less = self.define("index", f"arith.subi {inner}, {one} : index")
            self.line(f"scf.yield {less}, {self.any(type)} : index, {type}")

        self.scoped(test)
        self.line("} do {")
        self.line(f"^bb0({inner}: index, {kept}: {type}):")
        self.scoped(rest)
        self.line("}")
        self.values.setdefault(type, []).append(f"{results}#1")

    def switch(self) -> None:
        type = self.random.choice([*INTEGERS, *FLOATS])
        name = self.fresh()
        self.line(f"{name} = scf.index_switch {self.bound()} -> {type}")
        for case in ("case 1", "case 4", "default"):
            self.line(f"{case} {{")
            self.scoped(self.yielding(type))
            self.line("}")
        self.values.setdefault(type, []).append(name)

    def region(self) -> None:
        type = self.random.choice([*INTEGERS, *FLOATS])
        condition, first, second = self.any("i1"), self.any(type), self.any(type)
        name = self.result(type, f"scf.execute_region -> {type}")
        label = self.count
        self.line(f"  cf.cond_br {condition}, ^a{label}, ^b{label}({second} : {type})")
        self.line(f"^a{label}:")
        self.scoped(lambda: self.line(f"scf.yield {first} : {type}"))
        self.line(f"^b{label}(%x{label}: {type}):")
        self.scoped(lambda: self.line(f"scf.yield %x{label} : {type}"))
        self.close(type, name)

    def parallel(self) -> None:
        type = "i32"
        counter, other = self.fresh(), self.fresh()
        zero, one, stop = self.constant("index", 0), self.constant("index", 1), self.bound()
        head = f"scf.parallel ({counter}, {other}) = ({zero}, {zero}) to ({stop}, {stop}) step ({one}, {one})"
        name = self.result(type, f"{head} init ({self.any(type)}) -> {type}")

        def build() -> None:
            self.values.setdefault("index", []).extend([counter, other])
            value = self.define(type, f"arith.index_cast {self.any('index')} : index to i32")
            left, right, sum = (self.fresh() for _ in range(3))
            self.line(f"scf.reduce({value} : {type}) {{")
            self.line(f"^bb0({left}: {type}, {right}: {type}):")
            self.line(f"  {sum} = arith.addi {left}, {right} : {type}")
            self.line(f"  scf.reduce.return {sum} : {type}")
            self.line("}")

        self.scoped(build)
        self.close(type, name)

    # --- the whole

    def finish(self) -> None:
        """Mix every value into one of the outputs, so that each one counts."""
        for position, type in enumerate((*INTEGERS, "index", *FLOATS)):
            place, factor = self.constant("index", position), self.constant("i64", 6364136223846793005)
            total = self.constant("i64", 1)
            for value in list(self.values[type]):
                scaled = self.define("i64", f"arith.muli {total}, {factor} : i64")
                total = self.define("i64", f"arith.addi {scaled}, {self.as_word(type, value)} : i64")
            self.line(f"memref.store {total}, %out[{place}] : memref<?xi64>")

    def as_word(self, type: str, value: str) -> str:
        """A value as 64 bits."""
        if type in FLOATS:
            bits = f"i{FLOATS[type]}"
            value, type = self.define(bits, f"arith.bitcast {value} : {type} to {bits}"), bits
        if type == "index":
            return self.define("i64", f"arith.index_cast {value} : index to i64")
        if type == "i64":
            return value
        word = "trunci" if INTEGERS[type] > 64 else "extui"
        return self.define("i64", f"arith.{word} {value} : {type} to i64")


def function(seed: int, steps: int = 10) -> str:
    """The function ``@f<seed>``."""
    program = Program(seed)
    program.start()
    for _ in range(steps):
        program.step()
    program.finish()
    lines = "\n".join(program.lines)
    return f"func.func @f{seed}(%in: memref<?xi64>, %out: memref<?xi64>) {{\n{lines}\n  return\n}}\n"


def inputs(seed: int) -> list[int]:
    """Inputs of a run: edge values and random ones."""
    chance = random.Random(seed)
    return [chance.choice((chance.choice(EDGES), chance.getrandbits(64))) for _ in range(INPUTS)]
