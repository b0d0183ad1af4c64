"""Kernels that fail, whose lines are reported: the caret has to stand below the first character of what failed."""

from pathlib import Path

import cuda.tile as ct

require = ct.assert_
SOURCE = Path(__file__).read_text(encoding="utf-8")


@ct.kernel
def cast_nan(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, tile.astype(ct.int32))  # mark: tile.astype


@ct.kernel
def gather_oob(x, indices, out):
    chosen = ct.load(indices, 0, shape=(4,))
    ct.store(out, 0, ct.gather(x, chosen, check_bounds=False))  # mark: ct.gather


@ct.kernel
def quotient(x, out):
    """The line has characters of several bytes in front of the failing one."""
    größe = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, größe - größe / größe)  # mark: größe / größe


@ct.kernel
def too_large(x, out):
    tile = ct.load(x, 0, shape=(1 << 26,))  # mark: ct.load
    ct.store(out, 0, tile)


def place(mark: str) -> tuple[int, int]:
    """Line and column, both counted from 1, of the text that is marked."""
    lines = SOURCE.splitlines()
    line = next(at for at, text in enumerate(lines) if text.endswith(f"# mark: {mark}"))
    return line + 1, lines[line].index(mark) + 1


@ct.kernel
def last_one_wins(pair, out):
    ct.store(out, (0, 1), ct.full((1, 1), ct.bid(0), ct.int32))
    ct.store(pair[1], 0, ct.full((1,), 0, ct.int32))


@ct.kernel
def read_lists(arrays, out):
    item = arrays[1]
    ct.store(out, 0, ct.gather(item, ct.arange(4, dtype=ct.int32) + (1 << 28), check_bounds=False))


@ct.kernel
def asserts(x):
    require(ct.load(x, 0, shape=(4,)) > 0, "positive")
