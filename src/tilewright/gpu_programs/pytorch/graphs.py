"""CUDA graphs: the calls that are captured run each time that the graph is replayed.

Operations that create a tensor run at once, so that there is memory for their results, and again at each
replay, into the same memory. Operations that write into existing memory run at replays only, as on a GPU.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from typing import Any, cast

from tilewright.gpu_programs import codes, patches as gpu_programs_patches
from tilewright.gpu_programs.pytorch.tensors import Tensors
from tilewright.gpu_programs.refusals import refusal, refusing

Step = Callable[[], object]

_READS = ("aten::_local_scalar_dense", "aten::equal", "aten::nonzero")
"""Operations whose result Python needs immediately."""
_HINT = "move the call out of the capture"


class Graphs:
    """Captures CUDA graphs, one at a time: while a graph is captured, launches and operations of PyTorch are
    recorded as its steps.
    """

    def __init__(self, tensors: Tensors) -> None:
        self._tensors = tensors
        self._steps: list[Step] | None = None

    @property
    def is_capturing(self) -> bool:
        """Whether a graph is being captured."""
        return self._steps is not None

    def is_capturing_on(self, stream: Any = None) -> bool:
        """Return whether a graph is being captured; all streams are captured at once."""
        return self.is_capturing

    def take_launch(self, launch: Step, arguments: Sequence[object]) -> bool:
        """Add a launch to the graph that is being captured, without running it, and return True; return False
        if there is no such graph. Raises `NoAnswerError` for a list among the arguments, which cuTile cannot
        capture.
        """
        if self._steps is None:
            return False
        if any(isinstance(argument, list) for argument in arguments):
            reason = "cannot be captured: List argument in CUDAGraph isn't supported yet"
            raise refusal("cuda.tile.launch", reason, "pass the arrays as a tuple", codes.CAPTURED)
        self._steps.append(launch)
        return True

    def record(self, function: Any, arguments: Any, named: dict[str, Any]) -> tuple[bool, Any]:
        """Add an operation to the graph that is being captured, and return True and its result. An operation
        that creates tensors runs at once, too; an operation that returns a view runs at once only, and is not
        added. An operation that writes into its arguments does not run, and its result are these arguments.
        Return (False, None) without a graph, and the operation has not run then. Raises `NoAnswerError` for
        an operation that reads a value.
        """
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
        """Copy the results of a replayed operation into the tensors of its first run, `into`: a tensor on the
        GPU, or a tuple or list of them.
        """
        if isinstance(into, tuple | list):
            pairs: Any = zip(cast("Any", into), results, strict=True)
            for one, result in pairs:
                self._refill(one, result)
        elif self._tensors.is_on_gpu(into):
            self._tensors.memory(into).copy_(self._tensors.memory(results))

    @contextlib.contextmanager
    def capture(self, steps: list[Step]) -> Generator[None]:
        """Append the calls of a ``with`` block to `steps`, as functions without parameters that repeat them.
        Raises `NoAnswerError` if another graph is being captured.
        """
        if self._steps is not None:
            raise refusal("torch.cuda.graph", "begins while another graph is captured", _HINT, codes.CAPTURED)
        self._steps, self._tensors.recorder = steps, self.record
        try:
            yield
        finally:
            self._steps, self._tensors.recorder = None, None

    def answers(self, new_stream: Callable[[], Any]) -> dict[str, Any]:
        """Return the attributes of ``torch.cuda`` for graphs, by name. ``new_stream`` returns a new stream,
        which is the current stream during a capture if the program names no stream.
        """
        graphs = self

        class CUDAGraph:
            """A captured graph: the calls of operations and launches. `keep_graph` has no effect."""

            def __init__(self, keep_graph: bool = False) -> None:
                self._steps: list[Step] = []
                self._capture = contextlib.ExitStack()

            def capture_begin(self, *arguments: Any, **named: Any) -> None:
                """Start to capture calls, and forget the calls that were captured before. Raises
                `NoAnswerError` if another graph is being captured.
                """
                self._steps.clear()
                self._capture.enter_context(graphs.capture(self._steps))

            def capture_end(self) -> None:
                """Stop capturing; later calls run at once."""
                self._capture.close()

            def replay(self) -> None:
                """Repeat the captured calls."""
                for step in self._steps:
                    step()

            def reset(self) -> None:
                """Remove the captured calls."""
                self._steps.clear()

            def instantiate(self) -> None:
                """Do nothing: a graph needs no preparation."""

            def pool(self) -> tuple[int, int]:
                """Return the memory pool; all graphs share one pool."""
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
            "graph_pool_handle": gpu_programs_patches.always((0, 1)),
            "is_current_stream_capturing": self.is_capturing_on,
            "make_graphed_callables": refusing(call, "captures backward passes, which is not supported here"),
        }


def _written(function: Any, arguments: Any, named: dict[str, Any]) -> Any:
    """Return the arguments that an operation writes to, which are its results: a single argument, a tuple of
    several, None without results.
    """
    values = [
        named.get(parameter.name, arguments[at] if at < len(arguments) else None)
        for at, parameter in enumerate(function._schema.arguments)
        if parameter.alias_info is not None and parameter.alias_info.is_write
    ]
    count = len(function._schema.returns)
    return (values[0] if count == 1 else tuple(values[:count])) if count else None
