"""Products of small matrices of every form: types of factors and sums, and extents that are powers of two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel

EXTENTS = (1, 2, 4, 8, 16, 32, 64)
TYPES = (
    *(("f16", "f16"), ("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("f32", "f32"), ("f64", "f64")),
    *(("f8E4M3FN", "f16"), ("f8E4M3FN", "f32"), ("f8E5M2", "f16"), ("f8E5M2", "f32"), ("i8", "i32")),
)
"""The types of factors, each with one of sums."""


@dataclass(frozen=True, slots=True)
class SmallProduct:
    """A product of M x K and K x N elements of type ``factor``, added up in type ``total``."""

    factor: str
    total: str
    m: int
    n: int
    k: int

    @property
    def name(self) -> str:
        """Return ``f16-f32-16x8x16``, by which commands choose products."""
        return f"{self.factor}-{self.total}-{self.m}x{self.n}x{self.k}"

    def text(self) -> str:
        """Return a kernel that stores the product of numbers made from those of their places, plus one, at `%p`."""
        a, b, c = (f"tile<{x}x{y}x{t}>" for x, y, t in self._tiles())
        place = f"tile<{self.m * self.n}xptr<{self.total}>>"
        flat, count = f"tile<{self.m * self.n}x{self.total}>", self.m * self.n
        signs = " signed signed" if self.factor == "i8" else ""
        one = "1" if self.factor == "i8" else "1.0"
        return kernel(
            f"%p: tile<ptr<{self.total}>>",
            f"""
            {self._factor("a", self.m, self.k)}
            {self._factor("b", self.k, self.n)}
            %c = constant <{self.total}: {one}> : {c}
            %d = {"mmai" if signs else "mmaf"} %a, %b, %c{signs} : {a}, {b}, {c}
            %f = reshape %d : {c} -> {flat}
            %at = iota : tile<{count}xi32>
            %p1 = reshape %p : tile<ptr<{self.total}>> -> tile<1xptr<{self.total}>>
            %pn = broadcast %p1 : tile<1xptr<{self.total}>> -> {place}
            %to = offset %pn, %at : {place}, tile<{count}xi32> -> {place}
            %s = store_ptr_tko weak %to, %f : {place}, {flat} -> token
            """,
        )

    def _tiles(self) -> tuple[tuple[int, int, str], ...]:
        m, n, k = self.m, self.n, self.k
        return (m, k, self.factor), (k, n, self.factor), (m, n, self.total)

    def _factor(self, name: str, rows: int, columns: int) -> str:
        """Return what makes ``%NAME``: the numbers of its elements, of which two bits are kept."""
        count, shape = rows * columns, f"{rows}x{columns}"
        small = f"tile<{count}xi32>"
        made = f"""
            %{name}0 = iota : {small}
            %{name}1 = constant <i32: 3> : {small}
            %{name}2 = andi %{name}0, %{name}1 : {small}
            %{name}3 = reshape %{name}2 : {small} -> tile<{shape}xi32>
        """
        if self.factor == "i8":
            return f"{made}\n%{name} = trunci %{name}3 : tile<{shape}xi32> -> tile<{shape}xi8>"
        floats = f"tile<{shape}xf32>"
        if self.factor == "f32":
            return f"{made}\n%{name} = itof %{name}3 signed : tile<{shape}xi32> -> {floats}"
        return f"""{made}
            %{name}4 = itof %{name}3 signed : tile<{shape}xi32> -> {floats}
            %{name} = ftof %{name}4 : {floats} -> tile<{shape}x{self.factor}>
        """


def small_products() -> Iterator[SmallProduct]:
    """Yield every form, 343 of each pair of types."""
    for (factor, total), m, n, k in product(TYPES, EXTENTS, EXTENTS, EXTENTS):
        yield SmallProduct(factor, total, m, n, k)
