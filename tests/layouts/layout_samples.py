"""Generated layouts for the tests of their algebra, and the expressions of the tests as values."""

from __future__ import annotations

from hypothesis import strategies as st

from tilewright.layouts.layout import AnyLayout, Layout, parse_layout
from tilewright.layouts.trees import IntTree, integers

SHAPES: st.SearchStrategy[IntTree] = st.recursive(
    st.sampled_from([1, 2, 2, 3, 4, 4, 6]),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple),
    max_leaves=3,
)


def with_strides(shape: IntTree, strides: list[int]) -> IntTree:
    """A tree of the form of a shape, its leaves taken from a list."""
    if isinstance(shape, tuple):
        return tuple(with_strides(mode, strides) for mode in shape)
    return strides.pop()


@st.composite
def layouts(draw: st.DrawFn, steps: tuple[int, ...] = (0, 1, 2, 3, 4, 6, 8, 12, 24)) -> Layout:
    """A layout of a few modes, with strides that often fit together."""
    shape = draw(SHAPES)
    count = len(integers(shape))
    strides = draw(st.lists(st.sampled_from(steps), min_size=count, max_size=count))
    return Layout(shape, with_strides(shape, strides))


def plain(text: str) -> Layout:
    """The layout of a text that is not composed."""
    found: AnyLayout = parse_layout(text)
    assert isinstance(found, Layout)
    return found
