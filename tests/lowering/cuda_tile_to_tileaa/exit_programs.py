"""Random kernels that are all branches, loops and exits.

Every step mixes a number into a hash in memory, so that the hash says which steps ran, in which order and with which
values; tokens travel with the values and keep the order.  Conditions look at the hash; loops end because they count
down.
"""

from __future__ import annotations

import random
from typing import NamedTuple

MODULE = """cuda_tile.module @kernels {{
  entry @k(%memory: tile<ptr<i32>>) {{
    %factor = constant <i32: 31> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %rounds = constant <i32: 4> : tile<i32>
    %start = make_token : token
{body}
  }}
}}
"""
SCALAR = "tile<i32>"
PAIR = f"{SCALAR}, token"


class State(NamedTuple):
    """A number, and the token of the last step."""

    value: str
    token: str

    def __str__(self) -> str:
        return f"{self.value}, {self.token}"


class Program:
    """The text of one kernel."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.lines: list[str] = []

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def pair(self) -> State:
        return State(self.name(), self.name())

    def line(self, text: str) -> None:
        self.lines.append(f"    {text}")

    def step(self, state: State) -> State:
        """Mix a value into the hash; the new hash."""
        old, new = self.pair(), self.pair()
        product = self.name()
        self.line(
            f"{old} = load_ptr_tko weak %memory token={state.token} : tile<ptr<i32>> -> {SCALAR}, token"
        )
        self.line(f"{product} = muli {old.value}, %factor : {SCALAR}")
        self.line(f"{new.value} = addi {product}, {state.value} : {SCALAR}")
        self.line(
            f"{new.token} = store_ptr_tko weak %memory, {new.value} token={old.token} : "
            f"tile<ptr<i32>>, {SCALAR} -> token"
        )
        return new

    def constant(self) -> str:
        made = self.name()
        self.line(f"{made} = constant <i32: {self.random.randint(1, 999)}> : {SCALAR}")
        return made

    def condition(self, hash_: str) -> str:
        """True for about half of all hashes."""
        mask, bits, test = self.name(), self.name(), self.name()
        self.line(f"{mask} = constant <i32: {1 << self.random.randint(0, 5)}> : {SCALAR}")
        self.line(f"{bits} = andi {hash_}, {mask} : {SCALAR}")
        self.line(f"{test} = cmpi equal {bits}, %zero, signed : {SCALAR} -> tile<i1>")
        return test

    # --- blocks

    def block(self, depth: int, state: State, exits: list[str], ending: str) -> None:
        """Statements, then an exit: ``ending`` is how a block ends that does not leave, with the state in braces."""
        for _ in range(self.random.randint(1, 3)):
            state = self.step(state)
            if depth and self.random.random() < 0.75:
                state = self.statement(depth - 1, state, exits)
        leaves = exits and self.random.random() < 0.4
        end = self.random.choice(exits) if leaves else ending
        self.line(end.format(value=state.value, token=state.token))

    def statement(self, depth: int, state: State, exits: list[str]) -> State:
        made = self.random.choice(
            (self.branch, self.branch, self.branch, self.guard, self.loop, self.counted)
        )
        return made(depth, state, exits)

    def branch(self, depth: int, state: State, exits: list[str]) -> State:
        """Two branches, one of which may leave; they yield a state or a token only."""
        test, result = self.condition(state.value), self.pair()
        both = self.random.random() < 0.6
        head, ending = f"{result.token} = if {test} -> (token) {{", "yield {token} : token"
        if both:
            head, ending = f"{result} = if {test} -> ({PAIR}) {{", f"yield {{value}}, {{token}} : {PAIR}"
        self.line(head)
        self.block(depth, state, exits, ending)
        self.line("} else {")
        self.block(depth, state, exits, ending)
        self.line("}")
        return result if both else State(state.value, result.token)

    def guard(self, depth: int, state: State, exits: list[str]) -> State:
        """A branch that leaves, and nothing else."""
        if exits:
            self.line(f"if {self.condition(state.value)} {{")
            self.block(depth, state, exits, self.random.choice(exits))
            self.line("}")
        return state

    def loop(self, depth: int, state: State, exits: list[str]) -> State:
        """Counts down in a carried value, and leaves at 0 at the latest, at any place in the round."""
        result, left, carried = self.pair(), self.name(), self.pair()
        first = f"{left} = %rounds, {carried.value} = {state.value}, {carried.token} = {state.token}"
        self.line(f"{result} = loop iter_values({first}) : {SCALAR}, {PAIR} -> {PAIR} {{")
        fewer, done = self.name(), self.name()
        self.line(f"{fewer} = subi {left}, %one : {SCALAR}")
        self.line(f"{done} = cmpi equal {fewer}, %zero, signed : {SCALAR} -> tile<i1>")
        if self.random.random() < 0.5:
            carried = self.step(carried)
        self.line(f"if {done} {{")
        self.line(f"break {carried} : {PAIR}")
        self.line("}")
        go_on = f"continue {fewer}, {{value}}, {{token}} : {SCALAR}, {PAIR}"
        returns = [exit for exit in exits if exit == "return"]
        self.block(depth, carried, [f"break {{value}}, {{token}} : {PAIR}", go_on, *returns], go_on)
        self.line("}")
        return result

    def counted(self, depth: int, state: State, exits: list[str]) -> State:
        result, counter, carried = self.pair(), self.name(), self.pair()
        self.line(
            f"{result} = for {counter} in (%zero to %rounds, step %one) : {SCALAR} "
            f"iter_values({carried.value} = {state.value}, {carried.token} = {state.token}) -> ({PAIR}) {{"
        )
        mixed = self.step(State(counter, carried.token))
        go_on = f"continue {{value}}, {{token}} : {PAIR}"
        self.block(depth, State(carried.value, mixed.token), [go_on], go_on)
        self.line("}")
        return result


def program(seed: int, depth: int = 3) -> str:
    """The text of a random module."""
    made = Program(seed)
    made.block(depth, State(made.constant(), "%start"), ["return"], "return")
    return MODULE.format(body="\n".join(made.lines))
