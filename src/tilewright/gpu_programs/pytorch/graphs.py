"""Graphs of launches: what is called while one is captured runs each time that it is replayed.

Operations that make a new tensor run at once, so that there is memory for their results, and again at each replay,
into the same memory.  Those that write into existing memory run at replays only, as on a GPU.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from typing import Any, cast

from tilewright.gpu_programs import codes
from tilewright.gpu_programs.answers import always
from tilewright.gpu_programs.pytorch.tensors import Tensors
from tilewright.gpu_programs.refusals import refusal, refusing

Step = Callable[[], object]

_READS = ("aten::_local_scalar_dense", "aten::equal", "aten::nonzero")
"""Operations whose result Python needs at once."""
_HINT = "move the call out of the capture"


class Graphs:
    """The graph that is being captured, if any."""

    def __init__(self, tensors: Tensors) -> None:
        self._tensors = tensors
        self._steps: list[Step] | None = None

    @property
    def is_capturing(self) -> bool:
        """Whether a graph is captured."""
        return self._steps is not None

    def is_capturing_on(self, stream: Any = None) -> bool:
        """Whether a stream is captured: all are, or none."""
        return self.is_capturing

    def take_launch(self, launch: Step, arguments: Sequence[object]) -> bool:
        """Whether a graph is captured, which then has the launch; cuTile captures none with lists."""
        if self._steps is None:
            return False
        if any(isinstance(argument, list) for argument in arguments):
            reason = "cannot be captured: List argument in CUDAGraph isn't supported yet"
            raise refusal("cuda.tile.launch", reason, "pass the arrays as a tuple", codes.CAPTURED)
        self._steps.append(launch)
        return True

    def record(self, function: Any, arguments: Any, named: dict[str, Any]) -> tuple[bool, Any]:
        """Take an operation into the graph; answers whether there is one, and the result."""
        if self._steps is None:
            return False, None
        name = function._schema.name
        if name in _READS:
            raise refusal(name, "reads a value while a graph is captured", _HINT, codes.CAPTURED)
        run = self._tensors.run
        if function._schema.is_mutable:
            self._steps.append(lambda: run(function, arguments, named))
            return True, _written(function, arguments, named)
        made = run(function, arguments, named)
        if not any(result.alias_info for result in function._schema.returns):
            self._steps.append(lambda: self._refill(made, run(function, arguments, named)))
        return True, made

    def _refill(self, into: Any, results: Any) -> None:
        """Put new results where the first ones were."""
        if isinstance(into, tuple | list):
            pairs: Any = zip(cast("Any", into), results, strict=True)
            for one, result in pairs:
                self._refill(one, result)
        elif self._tensors.is_on_gpu(into):
            self._tensors.memory(into).copy_(self._tensors.memory(results))

    @contextlib.contextmanager
    def capture(self, steps: list[Step]) -> Generator[None]:
        """Let a list take what is called in a ``with`` block."""
        if self._steps is not None:
            raise refusal("torch.cuda.graph", "begins while another graph is captured", _HINT, codes.CAPTURED)
        self._steps, self._tensors.recorder = steps, self.record
        try:
            yield
        finally:
            self._steps, self._tensors.recorder = None, None

    def answers(self, new_stream: Callable[[], Any]) -> dict[str, Any]:
        """What ``torch.cuda`` has about graphs."""
        graphs = self

        class CUDAGraph:
            """A captured graph."""

            def __init__(self, keep_graph: bool = False) -> None:
                self._steps: list[Step] = []
                self._capture = contextlib.ExitStack()

            def capture_begin(self, *arguments: Any, **named: Any) -> None:
                """From now on calls are captured."""
                self._steps.clear()
                self._capture.enter_context(graphs.capture(self._steps))

            def capture_end(self) -> None:
                """From now on calls are made again."""
                self._capture.close()

            def replay(self) -> None:
                """Make the calls."""
                for step in self._steps:
                    step()

            def reset(self) -> None:
                """Forget the calls."""
                self._steps.clear()

            def instantiate(self) -> None:
                """There is nothing to prepare."""

            def pool(self) -> tuple[int, int]:
                """The memory pool, of which there is one."""
                return (0, 1)

        @contextlib.contextmanager
        def graph(
            cuda_graph: CUDAGraph, *arguments: Any, stream: Any = None, **named: Any
        ) -> Generator[None]:
            with stream or new_stream():
                cuda_graph.capture_begin()
                try:
                    yield
                finally:
                    cuda_graph.capture_end()

        call = "torch.cuda.make_graphed_callables"
        return {
            "CUDAGraph": CUDAGraph,
            "graph": graph,
            "graph_pool_handle": always((0, 1)),
            "is_current_stream_capturing": self.is_capturing_on,
            "make_graphed_callables": refusing(call, "captures backward passes, which is not supported here"),
        }


def _written(function: Any, arguments: Any, named: dict[str, Any]) -> Any:
    """The arguments that an operation writes to, which are its results."""
    values = [
        named.get(parameter.name, arguments[at] if at < len(arguments) else None)
        for at, parameter in enumerate(function._schema.arguments)
        if parameter.alias_info is not None and parameter.alias_info.is_write
    ]
    count = len(function._schema.returns)
    return (values[0] if count == 1 else tuple(values[:count])) if count else None
