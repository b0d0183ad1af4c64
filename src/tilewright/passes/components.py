"""Strongly connected components of a graph: Tarjan's search, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

_Node = TypeVar("_Node", bound=Hashable)


def components(nodes: Iterable[_Node], successors: Callable[[_Node], Iterable[_Node]]) -> list[list[_Node]]:
    """Return the strongly connected components of the graph of all nodes that ``successors`` reaches from
    `nodes`: in a component, each node is reachable from every other. A component comes after the components
    of its successors.
    """
    search = _Search(successors)
    for node in nodes:
        search.visit(node)
    return search.found


class _Search(Generic[_Node]):
    """The state of a depth-first search for strongly connected components."""

    def __init__(self, successors: Callable[[_Node], Iterable[_Node]]) -> None:
        self.successors = successors
        self.number: dict[_Node, int] = {}
        self.lowest: dict[_Node, int] = {}
        self.stack: list[_Node] = []
        self.open: set[_Node] = set()
        self.found: list[list[_Node]] = []

    def visit(self, root: _Node) -> None:
        """Search from `root` on, unless it has been visited, and append the components found to ``found``."""
        if root in self.number:
            return
        path = [self._enter(root)]
        while path:
            node, successors = path[-1]
            following = next(successors, None)
            if following is None:
                path.pop()
                self._leave(node)
                if path:
                    self._lower(path[-1][0], self.lowest[node])
            elif following not in self.number:
                path.append(self._enter(following))
            elif following in self.open:
                self._lower(node, self.number[following])

    def _enter(self, node: _Node) -> tuple[_Node, Iterator[_Node]]:
        self.number[node] = self.lowest[node] = len(self.number)
        self.stack.append(node)
        self.open.add(node)
        return node, iter(self.successors(node))

    def _lower(self, node: _Node, number: int) -> None:
        self.lowest[node] = min(self.lowest[node], number)

    def _leave(self, node: _Node) -> None:
        if self.lowest[node] == self.number[node]:
            start = len(self.stack) - 1
            while self.stack[start] != node:
                start -= 1
            self.found.append(self.stack[start:])
            self.open.difference_update(self.stack[start:])
            del self.stack[start:]
