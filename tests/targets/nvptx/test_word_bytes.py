"""Four bytes of any words are one word after permutations: the right bytes, and few permutations."""

from __future__ import annotations

from typing import Any

from hypothesis import given, strategies as st

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import ptx_of, same
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_matrix import aligned, product
from tilewright.ptx.model import IntegerConstant, Name
from tilewright.targets.nvptx.nvvm_to_ptx.word_bytes import BYTES_OF_WORD, WordBytes

WORDS = {Name(f"%r{number}"): sum((4 * number + at) << 8 * at for at in range(4)) for number in range(8)}
"""Words whose bytes are all different."""


class Permutations:
    """Computes permutations, as PTX defines `prmt`, and counts them."""

    def __init__(self) -> None:
        self.values: dict[Any, int] = dict(WORDS)
        self.count = 0

    def __call__(self, spelling: str, first: Any, second: Any, selector: IntegerConstant) -> Any:
        assert spelling == "prmt.b32"
        given, made = self.values[first] | self.values[second] << 32, 0
        for at in range(BYTES_OF_WORD):
            made |= (given >> 8 * (selector.value >> 4 * at & 7) & 255) << 8 * at
        self.count += 1
        result = Name(f"%t{self.count}")
        self.values[result] = made
        return result


def noted() -> tuple[WordBytes, dict[tuple[int, int], Name]]:
    found, pieces = WordBytes(), {}
    for number, word in enumerate(WORDS):
        names = [Name(f"%rs{4 * number + at}") for at in range(BYTES_OF_WORD)]
        found.note(word, names)
        pieces |= {(number, at): name for at, name in enumerate(names)}
    return found, pieces


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3)), min_size=4, max_size=4))
def test_the_bytes_are_the_right_ones(places: list[tuple[int, int]]) -> None:
    (found, pieces), compute = noted(), Permutations()
    word = found.joined([pieces[place] for place in places], compute)
    wanted = sum((4 * number + at) << 8 * index for index, (number, at) in enumerate(places))
    assert compute.values[word] == wanted
    assert compute.count <= (1 if len({number for number, _ in places}) <= 2 else 3)


def test_a_turned_tile_takes_two_permutations_for_a_word() -> None:
    (found, pieces), compute = noted(), Permutations()
    for at in range(BYTES_OF_WORD):
        word = found.joined([pieces[number, at] for number in range(4)], compute)
        assert compute.values[word] == sum((4 * number + at) << 8 * number for number in range(4))
    assert compute.count == 8


def test_bytes_of_no_word_are_not_joined() -> None:
    found, pieces = noted()
    row = [pieces[0, 0], pieces[1, 0], pieces[2, 0]]
    assert found.joined([*row, Name("%rs99")], Permutations()) is None
    found.forget()
    assert found.joined([*row, pieces[3, 0]], Permutations()) is None


def test_factors_of_bytes_have_no_shifts() -> None:
    """The second factor is stored by rows, and read by columns."""
    text, arrays = aligned(product("mmai", "i8", "i32", 64, 64, 64, more=" signed signed"))
    assert "prmt.b32" in ptx_of(text)
    assert "shl.b16" not in ptx_of(text)
    same(text, (1,), arrays, "sm_80")
