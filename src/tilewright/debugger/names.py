"""The values that the names of a Python program have at a stop.

Frontends keep the position of each operation, and drop most names. A name is therefore looked up in the text of
the function: the last assignment before the stop tells an expression, and the operation at the position of
this expression computes the value. The value of a variable that a loop or a branch changes is an argument or a result
of the operation that the loop or branch became; it is recognised by the values that enter and leave it.

Nothing is guessed: a name whose value was removed by the frontend, or is not unique, is lost.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from tilewright.debugger.plan import LOOPS, StatementPlace, StopPlan
from tilewright.debugger.source import (
    CallContext,
    CodePosition,
    PythonFunction,
    SourceFiles,
    assignments,
    bodies,
    node_position,
    statements,
)
from tilewright.dialects.cuda_tile.ops import control, tile as tiles
from tilewright.dialects.cuda_tile.types import TokenType
from tilewright.interp.rules.tile import dense_elements
from tilewright.interp.values import tile_format
from tilewright.ir.block import Block
from tilewright.ir.location import name_in
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import Record
from tilewright.ir.value import Value

_NO_OPERATION = frozenset({"astype", "to", "reshape", "view", "broadcast_to"})
"""Methods that compute nothing where the value has the type or shape already."""


class KnownValue(Record, frozen=True):
    """A value that is known before the kernel runs: a number, an array argument, or an object of the program."""

    value: Any


class Lost(Record, frozen=True):
    """A name whose value is not known at a stop, and the reason."""

    reason: str


Found: TypeAlias = "Value | KnownValue | Lost | tuple[Found, ...]"
_REMOVED: Final = Lost("the frontend kept no operation for it")
_UNMATCHED: Final = Lost("it is not known which value of the loop or branch it is")
_NOT_YET: Final = Lost("it is not assigned yet")
_NOT_IN_ITERATION: Final = Lost("it is not assigned yet in this iteration")
_AXES = (control.GetTileBlockIdOp, control.GetNumTileBlocksOp)
"""Operations with a result for each axis; the program's call names the axis."""
_Answer: TypeAlias = "Found | None"
"""The value that a statement assigns to a name; None if it does not assign it."""


class ProgramNames:
    """The names of an entry. ``arguments`` are the arguments of the kernel that are known by name; ``others``
    are the names of the modules of the program, by file.
    """

    def __init__(
        self,
        entry: Operation,
        plan: StopPlan,
        files: SourceFiles,
        arguments: Mapping[str, Any],
        others: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self._entry = entry
        self._plan = plan
        self._files = files
        self._arguments = arguments
        self._others = others
        self._at: dict[CodePosition, list[Operation]] = defaultdict(list)
        self._callees: dict[CallContext, CodePosition] = {}
        for op, position in plan.positions.items():
            self._at[position].append(op)
            for depth in range(len(position.context)):
                inner = [*position.outer, position][depth + 1]
                self._callees.setdefault(position.context[: depth + 1], inner)
        self._matched: dict[tuple[Operation, str], int | None] = {}
        self._looked_up: dict[tuple[str, StatementPlace, Operation], _Answer] = {}

    def function(self, place: StatementPlace) -> PythonFunction | None:
        """Return the Python function that contains a place; None if no function does."""
        return self._files.of(place.file).function_at(place.line)

    def known(self, place: StatementPlace) -> list[str]:
        """Return the names that the function of a place has: parameters, and names that it assigns, in the
        order of the text. Empty if the place is in no function.
        """
        function = self.function(place)
        if function is None:
            return []
        stored = [
            (node.lineno, node.col_offset, node.id)
            for one in statements(function.body)
            for node in ast.walk(one)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        names = [one.arg for one in _parameters(function)] + [name for *_, name in sorted(stored)]
        return list(dict.fromkeys(names))

    def look_up(self, name: str, place: StatementPlace, op: Operation) -> Found | None:
        """Return the value of a name before the statement at a place, when `op` is about to be executed: a
        value of the IR, a known value, a tuple of these, or `Lost` with the reason why the value is not
        known. Return None if the function and its module have no such name.
        """
        key = name, place, op
        if key not in self._looked_up:
            self._looked_up[key] = self._at_stop(name, place, op)
        return self._looked_up[key]

    def assigned(self, name: str, place: StatementPlace, op: Operation) -> Found | None:
        """Return the value that the statement at a place assigns to a name, as far as `op` can use it, or
        `Lost`; None if the statement does not assign the name, or the place has no statement.
        """
        return None if place.statement is None else self._assigned(name, place, place.statement, op)

    def computed(
        self, file: str, context: CallContext, op: Operation | None = None
    ) -> dict[tuple[int, int], Value]:
        """Return the values that a file computes in a function that was reached by the calls ``context``, by
        line and column: the last one of each position. With `op`, only values that it can use.
        """
        found: dict[tuple[int, int], Value] = {}
        for owner, position in self._plan.positions.items():
            results = [one for one in owner.results if not isinstance(one.type, TokenType)]
            same = position.file == file and position.context == context
            if results and same and (op is None or is_visible(owner, op)):
                found[position.position[1:]] = results[0]
        return found

    def _at_stop(self, name: str, place: StatementPlace, op: Operation) -> _Answer:
        function = self.function(place)
        if function is None or place.statement is None:
            return self._declared(name, place, op) or self._of_module(name, place)
        loop = place.statement
        if isinstance(loop, ast.For | ast.While) and self._is_inside(place, op):
            ended = self._at_end(name, place, loop.body, op) if isinstance(op, control.ContinueOp) else None
            found = ended or self._in_loop(name, place, loop, op)
            if found is not None:
                return found
        return self._before(name, place, loop, op)

    def _is_inside(self, place: StatementPlace, op: Operation) -> bool:
        """Return whether an operation is inside a loop of the IR that the loop at a place became."""
        return not set(op.ancestors()).isdisjoint(self._plan.loop_at(place))

    def _declared(self, name: str, place: StatementPlace, op: Operation) -> _Answer:
        """Return the value of the expression that a file other than Python assigns to a name: None if it
        assigns none, and `Lost` if it assigns several times or no operation is left.
        """
        source = self._files.of(place.file)
        found = assignments(source, name)
        if not found:
            return None
        if len(found) > 1:
            return Lost("the file assigns it several times; look for the value by line and column")
        return self._computed(place, (place.file, *found[0]), op) or _REMOVED

    def _of_module(self, name: str, place: StatementPlace) -> _Answer:
        found = self._others.get(place.file, {})
        return KnownValue(found[name]) if name in found else None

    def _before(self, name: str, place: StatementPlace, statement: ast.stmt, op: Operation) -> _Answer:
        """Return the value of a name before `statement`, or `Lost`; None if no scope of `place` has the name."""
        function = self.function(place)
        assert function is not None, "statements are in functions"
        for owner, body, index in reversed(_path(function, statement)):
            for earlier in reversed(body[:index]):
                found = self._assigned(name, place, earlier, op)
                if found is not None:
                    return found
            found = self._in_loop(name, place, owner, op) if isinstance(owner, ast.For | ast.While) else None
            if found is not None:
                return found
        if any(one.arg == name for one in _parameters(function)):
            return self._parameter(name, place, function, op)
        stored = any(_assigns(one, name) for one in function.body)
        return _NOT_YET if stored else self._of_module(name, place)

    def _assigned(self, name: str, place: StatementPlace, statement: ast.stmt, op: Operation) -> _Answer:
        """Return the value that `statement` assigns to a name, or `Lost`; None if it does not assign it."""
        if not _assigns(statement, name):
            return None
        match statement:
            case ast.Assign(targets=targets, value=value):
                return self._by_targets(name, place, statement, targets, value, op)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._by_targets(name, place, statement, [target], value, op)
            case ast.AugAssign():
                return self._computed(place, node_position(place.file, statement), op) or _REMOVED
            case ast.For() | ast.While():
                return self._after_loop(name, place, statement, op)
            case ast.If():
                return self._after_branch(name, place, statement, op)
            case ast.With(body=body):
                return self._at_end(name, place, body, op)
            case _:
                return _REMOVED

    def _by_targets(
        self,
        name: str,
        place: StatementPlace,
        statement: ast.stmt,
        targets: Sequence[ast.expr],
        value: ast.expr,
        op: Operation,
    ) -> _Answer:
        for target in targets:
            if isinstance(target, ast.Name) and target.id == name:
                return self._value(value, place, statement, op)
            if isinstance(target, ast.Tuple | ast.List):
                position = [getattr(one, "id", None) for one in target.elts]
                if name in position:
                    found = self._value(value, place, statement, op)
                    at = position.index(name)
                    return found[at] if isinstance(found, tuple) and at < len(found) else _REMOVED
        return _REMOVED

    def _at_end(self, name: str, place: StatementPlace, body: Sequence[ast.stmt], op: Operation) -> _Answer:
        """Return the value that `body` assigns last to a name, or `Lost`; None if it does not assign it."""
        for statement in reversed(body):
            found = self._assigned(name, place, statement, op)
            if found is not None:
                return found
        return None

    # Expressions

    def _value(self, node: ast.expr, place: StatementPlace, statement: ast.stmt, op: Operation) -> Found:
        """Return the value of the expression `node` of `statement`, as far as `op` can use it, or `Lost`."""
        if isinstance(node, ast.Name):
            return self._before(node.id, place, statement, op) or Lost(f"{node.id} is not known")
        if isinstance(node, ast.Constant):
            return KnownValue(node.value)
        if isinstance(node, ast.Tuple | ast.List):
            return tuple([self._value(one, place, statement, op) for one in node.elts])
        found = self._computed(place, node_position(place.file, node), op)
        if isinstance(found, Value) and not _may_be_root(found, node):
            return _REMOVED
        if isinstance(found, tuple) and isinstance(found[0], Value) and isinstance(found[0].owner, _AXES):
            axis = folded(node.args[0], lambda _: None) if isinstance(node, ast.Call) and node.args else None
            return found[axis[0]] if axis and axis[0] in range(len(found)) else _UNMATCHED
        if found is None and isinstance(node, ast.Call):
            found = self._returned(node, place, op) or self._unchanged(node, place, statement, op)
        if found is None and isinstance(node, ast.IfExp):
            found = self._chosen(node, place, statement, op)
        if found is not None:
            return found
        value = folded(node, lambda name: self._before(name, place, statement, op))
        return _REMOVED if value is None else KnownValue(value[0])

    def _computed(self, place: StatementPlace, position: tuple[str, int, int], op: Operation) -> _Answer:
        """Return the results, without tokens, of the last operation at `position` whose results `op` can use:
        one value, or a tuple of several. Return None if there is no such operation.
        """
        for candidate in reversed(self._at.get(CodePosition(position, place.context), ())):
            results = [one for one in candidate.results if not isinstance(one.type, TokenType)]
            if results and is_visible(candidate, op):
                return results[0] if len(results) == 1 else tuple(results)
        return None

    def _unchanged(
        self, node: ast.Call, place: StatementPlace, statement: ast.stmt, op: Operation
    ) -> _Answer:
        """Return the value of ``x`` for ``x.astype(t)`` and other methods in `_NO_OPERATION`; else None."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in _NO_OPERATION:
            return self._value(node.func.value, place, statement, op)
        return None

    def _chosen(self, node: ast.IfExp, place: StatementPlace, statement: ast.stmt, op: Operation) -> _Answer:
        """Return the value of the operand that a conditional expression with a constant condition chooses;
        else the result of the operation at the operand after ``else``, or None if there is none.
        """
        condition = folded(node.test, lambda name: self._before(name, place, statement, op))
        if condition is None:
            return self._computed(place, node_position(place.file, node.orelse), op)
        return self._value(node.body if condition[0] else node.orelse, place, statement, op)

    def _returned(self, node: ast.Call, place: StatementPlace, op: Operation) -> _Answer:
        """Return the value of a call of an inlined function that has exactly one ``return``; else None."""
        context = (*place.context, node_position(place.file, node))
        inside = self._callees.get(context)
        function = self._files.of(inside.file).function_at(inside.line) if inside else None
        if inside is None or function is None:
            return None
        returns = [one for one in statements(function.body) if isinstance(one, ast.Return)]
        if len(returns) != 1 or returns[0].value is None:
            return None
        there = StatementPlace(inside.file, returns[0].lineno, context, returns[0])
        return self._value(returns[0].value, there, returns[0], op)

    # Parameters

    def _parameter(self, name: str, place: StatementPlace, function: PythonFunction, op: Operation) -> Found:
        if place.context:
            return self._passed(name, place, function, op)
        if name in self._arguments:
            return KnownValue(self._arguments[name])
        body = self._entry.regions[0].block
        labelled = [one for one in body.arguments if _label(body, one.index) == name]
        if len(labelled) == 1:
            return labelled[0]
        node = next(one for one in _parameters(function) if one.arg == name)
        made = self._at.get(CodePosition(node_position(place.file, node)), ())
        constants = [one for one in made if isinstance(one, tiles.ConstantOp)]
        return constants[0].results[0] if constants else Lost("the launch does not tell it")

    def _passed(self, name: str, place: StatementPlace, function: PythonFunction, op: Operation) -> Found:
        """Return the value that the caller of `function` passes for the parameter `name`, or `Lost`."""
        *_, position = place.outer
        caller = self._plan.place(position)
        if caller is None or caller.statement is None:
            return _REMOVED
        calls = [
            node
            for node in ast.walk(caller.statement)
            if isinstance(node, ast.Call)
            and node_position(caller.file, node) == position.position
            and getattr(node.func, "id", getattr(node.func, "attr", "")) == function.name
        ]
        value = _argument(calls[0], function, name) if len(calls) == 1 else None
        return _REMOVED if value is None else self._value(value, caller, caller.statement, op)

    # Loops and branches

    def _in_loop(self, name: str, place: StatementPlace, loop: ast.For | ast.While, op: Operation) -> _Answer:
        """Return the value of a name at the begin of the iteration that `op` is part of: the counter or a
        carried value of the loop's operation, or the value at the end of the body if the kernel has no such
        operation. Return None if the loop does not assign the name, and `Lost` if no value is found.
        """
        ancestors = set(op.ancestors())
        at = place.replace(line=loop.lineno, statement=loop)
        made = self._plan.loop_at(at)
        around = [one for one in made if one in ancestors]
        is_target = isinstance(loop, ast.For) and _assigns(loop.target, name)
        if not around:
            found = self._at_end(name, place, loop.body, op) if not made else _UNMATCHED
            return _UNMATCHED if is_target else None if found == _REMOVED else found
        if is_target:
            return _counter(loop, around[0])
        if not any(_assigns(one, name) for one in loop.body):
            return None
        if self._before(name, at, loop, around[0]) is _NOT_YET:
            return _NOT_IN_ITERATION
        index = self._match(name, at, loop, around[0])
        return _UNMATCHED if index is None else _carried(around[0])[index]

    def _after_loop(
        self, name: str, place: StatementPlace, loop: ast.For | ast.While, op: Operation
    ) -> _Answer:
        at = place.replace(line=loop.lineno, statement=loop)
        made = self._plan.loop_at(at)
        if not made:  # it was unrolled
            return self._at_end(name, place, loop.body, op)
        visible = [one for one in made if is_visible(one, op)]
        index = self._match(name, at, loop, visible[-1]) if visible else None
        if index is None:
            return _UNMATCHED
        if isinstance(visible[-1], control.ForOp):
            return visible[-1].results[index]
        return _left_with(visible[-1], _carried(visible[-1])[index])

    def _match(self, name: str, at: StatementPlace, loop: ast.For | ast.While, op: Operation) -> int | None:
        """Return the index of the value of a name among the carried values of the loop `op`, or None."""
        key = op, name
        if key not in self._matched:
            self._matched[key] = None  # while it is looked for
            self._matched[key] = self._matching(name, at, loop, op)
        return self._matched[key]

    def _matching(
        self, name: str, at: StatementPlace, loop: ast.For | ast.While, op: Operation
    ) -> int | None:
        body = op.regions[0].block
        carried = _carried(op)
        labelled = [at for at, one in enumerate(carried) if _label(body, one.index) == name]
        if len(labelled) == 1:
            return labelled[0]
        end = body.last
        assert isinstance(op, LOOPS), "loops become loops"
        assert end is not None, "the body of a loop has an end"
        first = self._before(name, at, loop, op)
        last = self._at_end(name, at, loop.body, end)
        if not isinstance(last, Value | KnownValue):
            return None  # another variable may begin with the same value
        repeating = _positions(end.operands, last)
        if not isinstance(first, Value | KnownValue):
            return min(repeating) if len(repeating) == 1 else None
        return min(repeating & _positions(op.init_values, first), default=None)

    def _after_branch(self, name: str, place: StatementPlace, branch: ast.If, op: Operation) -> _Answer:
        """Return the value that an ``if`` assigns to a name. Return None if the branch that was taken does
        not assign it, and `Lost` if it is not known which branch was taken.
        """
        made = self._at.get(CodePosition(node_position(place.file, branch), place.context), ())
        visible = [one for one in made if isinstance(one, control.IfOp) and is_visible(one, op)]
        if visible:
            return self._merged(name, place, branch, visible[-1])
        condition = folded(branch.test, lambda name: self._before(name, place, branch, op))
        if condition is not None:
            return self._at_end(name, place, branch.body if condition[0] else branch.orelse, op)
        taken = [body for body in (branch.body, branch.orelse) if self._has_operations(body, place)]
        return self._at_end(name, place, taken[0], op) if len(taken) == 1 else _UNMATCHED

    def _has_operations(self, body: Sequence[ast.stmt], place: StatementPlace) -> bool:
        if not body:
            return False
        first, last = body[0].lineno, body[-1].end_lineno or body[-1].lineno
        return any(
            one.context == place.context and one.file == place.file and first <= one.line <= last
            for one in self._at
        )

    def _merged(self, name: str, place: StatementPlace, branch: ast.If, op: control.IfOp) -> Found:
        """Return the result of `op`, which `branch` became, to which both regions pass the value that a name
        has at their end. Return `Lost` if there is no such result.
        """
        matching = set(range(len(op.results)))
        for body, region in ((branch.body, op.then_region), (branch.orelse, op.else_region)):
            end = region.block.last if region.blocks else None
            if end is None:
                continue
            value = self._at_end(name, place, body, end) or self._before(name, place, branch, end)
            if not isinstance(value, Value | KnownValue):
                return _UNMATCHED
            matching &= _positions(end.operands, value)
        return op.results[min(matching)] if matching else _UNMATCHED


def folded(node: ast.expr, look_up: Callable[[str], object]) -> tuple[Any] | None:
    """Return the value of the expression `node`, as a tuple of one item. `look_up` returns a `KnownValue` for
    a name that is constant. Return None if another name occurs, if the expression has a call, a lambda or a
    comprehension, or if its evaluation raises an exception.
    """
    values: dict[str, Any] = {}
    for one in ast.walk(node):
        if isinstance(one, ast.Call | ast.Await | ast.NamedExpr | ast.Lambda | ast.comprehension):
            return None
        if isinstance(one, ast.Name):
            found = look_up(one.id)
            if not isinstance(found, KnownValue):
                return None
            values[one.id] = found.value
    try:
        code = compile(ast.Expression(node), "<kernel>", "eval")
        return (eval(code, {"__builtins__": {}}, values),)
    except Exception:  # such as an array in a condition: then it is not what the frontend computed
        return None


def is_visible(op: Operation, user: Operation) -> bool:
    """Return whether `user` follows `op` in its block, or is nested there, so that it may use its results."""
    block = op.parent
    while user.parent is not block:
        above = user.parent_op
        if above is None:
            return False
        user = above
    return op is not user and op.is_before_in_block(user)


_ROOTS: dict[type[ast.operator], tuple[str, ...]] = {
    ast.Add: ("add", "offset", "fma", "or"),
    ast.Sub: ("sub", "offset", "fma", "xor"),
    ast.Mult: ("mul", "and"),
    ast.MatMult: ("mma",),
}
"""The begins of the names of operations that compute the result of an operator."""


def _may_be_root(value: Value, node: ast.expr) -> bool:
    """Return whether the operation of `value` may compute all of `node`, and not only its left operand, which
    begins at the same position: the operation must have a name of `_ROOTS` for the operator, if any.
    """
    names = _ROOTS.get(type(node.op)) if isinstance(node, ast.BinOp) else None
    op = value.owner
    return names is None or not isinstance(op, Operation) or op.name.partition(".")[2].startswith(names)


def _positions(values: Sequence[Value], found: Found) -> set[int]:
    """Return the positions in `values` of the value that was found for a name."""
    return {at for at, one in enumerate(values) if _is_same(one, found)}


def _is_same(value: Value, found: _Answer) -> bool:
    """Return whether a value is the value found for a name, or a constant tile of the known number."""
    if not isinstance(found, KnownValue):
        return value is found
    op = value.owner
    if not isinstance(op, tiles.ConstantOp) or not isinstance(found.value, int | float):
        return False
    return bool((dense_elements(op.value, tile_format(op.result.type)) == found.value).all())


def _path(
    function: PythonFunction, statement: ast.stmt
) -> list[tuple[ast.stmt | None, Sequence[ast.stmt], int]]:
    """Return the path from a function to a statement, the body of the function first: for each body that
    contains the statement, the statement that the body belongs to (None for the function's own), the body,
    and the index in it.
    """
    found: list[tuple[ast.stmt | None, Sequence[ast.stmt], int]] = []
    owner, pending = None, [function.body]
    while True:
        for body in pending:
            for index, one in enumerate(body):
                if one is statement or _is_inside(statement, one):
                    found.append((owner, body, index))
                    break
            else:
                continue
            break
        else:
            return found
        owner = found[-1][1][found[-1][2]]
        if owner is statement:
            return found
        pending = bodies(owner)


def _is_inside(statement: ast.stmt, around: ast.stmt) -> bool:
    begin, end = (around.lineno, around.col_offset), (around.end_lineno or 0, around.end_col_offset or 0)
    return begin <= (statement.lineno, statement.col_offset) < end and statement is not around


def _assigns(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Store)
        for one in ast.walk(node)
    )


def _parameters(function: PythonFunction) -> list[ast.arg]:
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _argument(call: ast.Call, function: PythonFunction, name: str) -> ast.expr | None:
    """Return the expression that a call passes for the parameter `name` of `function`, or else the default of
    a positional parameter. Arguments after ``*`` and ``**`` are not looked into. Return None if there is
    neither, and for a keyword-only parameter that the call does not pass.
    """
    names = [one.arg for one in _parameters(function)]
    at = names.index(name)
    if at < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args):
        return call.args[at]
    named = next((one.value for one in call.keywords if one.arg == name), None)
    if named is not None:
        return named
    defaults = function.args.defaults
    positional = [*function.args.posonlyargs, *function.args.args]
    first = len(positional) - len(defaults)
    return defaults[at - first] if first <= at < len(positional) else None


def _label(block: Block, index: int) -> str | None:
    return name_in(block.argument_location(index))


def _carried(loop: Operation) -> Sequence[Value]:
    """Return the arguments of the body of a loop that are carried from iteration to iteration."""
    return loop.regions[0].block.arguments[isinstance(loop, control.ForOp) :]


def _counter(loop: ast.For | ast.While, op: Operation) -> Found:
    """Return the counter of the ``for`` operation `op` that `loop` became. Return `Lost` for another
    operation, and for a range with a minus sign, which may count downwards, unlike the IR.
    """
    descends = isinstance(loop, ast.For) and any(
        isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.USub) for one in ast.walk(loop.iter)
    )
    return op.regions[0].block.arguments[0] if isinstance(op, control.ForOp) and not descends else _UNMATCHED


def _left_with(loop: Operation, argument: Value) -> Found:
    """Return the result of `loop` that gets `argument`, of its body, at the first ``break``, or `Lost`."""
    for end in loop.walk():
        if isinstance(end, control.BreakOp):
            found = [at for at, one in enumerate(end.operands) if one is argument]
            return loop.results[found[0]] if found else _UNMATCHED
    return _UNMATCHED
