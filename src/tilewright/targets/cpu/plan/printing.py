"""Plans as text and as JSON. Values have their names of the stage `tileas`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.text.names import OperationNames
from tilewright.ir.value import Value
from tilewright.lowering.access_facts import positions as access_facts_positions, views
from tilewright.targets.cpu.plan import data as cpu_data, model as plan_model, products

Data = dict[str, Any]
INDENT = "  "
LINE = 100
"""The maximum width of a line of names, in columns."""


def as_json(plans: Sequence[plan_model.KernelPlan], module: Operation) -> str:
    """Return the plans of a module as a JSON object: descriptions of ``kernels``, and the ``plans`` in full.

    `plan.data.read_plans` reads the plans again.
    """
    whole = {"kernels": as_data(plans, module), "plans": [cpu_data.plan_data(plan) for plan in plans]}
    return json.dumps(whole, indent=2) + "\n"


def as_text(plans: Sequence[plan_model.KernelPlan], module: Operation) -> str:
    """Return the plans of a module as text for people."""
    return "\n".join("".join(f"{line}\n" for line in _kernel_lines(data)) for data in as_data(plans, module))


def as_data(plans: Sequence[plan_model.KernelPlan], module: Operation) -> list[Data]:
    """Return the plans of a module as JSON data: a mapping for each kernel, with its tiles, buffers, accesses
    and steps. Values have their names in the text of `module`.
    """
    names = OperationNames(module, hints=True, unique=False).values
    return [_Describer(plan, names).kernel() for plan in plans]


class _Describer:
    """Describes one plan as JSON data. ``names`` has the names of values in the text of the module. Decisions
    that were not needed, and defaults, are omitted.
    """

    def __init__(self, plan: plan_model.KernelPlan, names: Mapping[Value, str]) -> None:
        self.plan = plan
        self.names = names
        self.steps = {block.block: block.steps for block in plan.blocks}

    def kernel(self) -> Data:
        """Return the description of the whole plan."""
        function: Any = self.plan.function
        target = self.plan.target
        return {
            "kernel": function.sym_name,
            "processor": target.cpu,
            "vector_bytes": target.vector_bytes,
            "scratch_bytes": self.plan.scratch_bytes,
            "tiles": [self._tile(tile) for tile in self.plan.tiles],
            "buffers": [_slot(slot) for slot in self.plan.slots],
            "accesses": [self._access(plan) for plan in self.plan.accesses],
            "steps": self._block(self.plan.blocks[0].block),
        }

    # --- memory

    def _tile(self, tile: plan_model.PlannedTile) -> Data:
        return _kept(
            {
                "tile": self.names[tile.value],
                "type": str(tile.value.type),
                "buffer": tile.slot.number if tile.slot is not None else None,
                "strides": list(tile.strides),
                "why": str(tile.why),
                "origin": str(tile.origin),
                "source": self.names[tile.source] if tile.source is not None else None,
            }
        )

    # --- accesses

    def _access(self, plan: plan_model.AccessPlan) -> Data:
        """Describe an access: the distance of the elements of its rows, and for views the number of elements
        in bounds along each dimension (None: known at run time).
        """
        made = {"op": self._op(plan.op)}
        if isinstance(plan, plan_model.TilePlan):
            even = (
                ("rows begin at whole bytes" if not plan.even else "rows may begin at whole bytes")
                if plan.has_bytes
                else None
            )
            return _kept(
                {**made, "rows": _distance(plan.tile.row_stride), "packed": even, **_limits(plan.tile)}
            )
        if isinstance(plan, plan_model.RowsPlan):
            return {**made, "rows": "at separate addresses", **_limits(plan.rows)}
        if isinstance(plan, plan_model.PointersPlan):
            rows = "of arbitrary addresses" if plan.row.distance is None else _distance(plan.row.distance)
            whole = len(plan.whole.conditions) if plan.whole is not None else None
            return _kept({**made, "rows": rows, "tests": len(plan.row.conditions), "whole": whole})
        return {**made, "memory": "a strided object"}

    # --- steps

    def _block(self, block: Block) -> list[Data]:
        return [self._step(step) for step in self.steps[block]]

    def _step(self, step: plan_model.Step) -> Data:
        if isinstance(step, plan_model.NestStep):
            return self._nest(step)
        if isinstance(step, plan_model.CheckStep):
            return self._check(step)
        regions = [
            self._block(block) for region in step.op.regions for block in region.blocks if block in self.steps
        ]
        return _kept(
            {"step": "single", "op": self._op(step.op), **self._detail(step.detail), "regions": regions}
        )

    def _check(self, step: plan_model.CheckStep) -> Data:
        versions = "one version for contiguous pointers" if step.is_masked else None
        return _kept({"step": "check", "op": self._op(step.op), "after": step.after, "versions": versions})

    def _nest(self, step: plan_model.NestStep) -> Data:
        pairs = zip(step.roots, step.combining, strict=True)
        return _kept(
            {
                "step": "nest",
                "shape": list(step.shape),
                "form": _form(step.form),
                "roots": [self._root(root, combining) for root, combining in pairs],
                "guards": [self._op(guard.op) for guard in step.guards],
                "apart": str(step.apart),
                "versions": self._versions(step.versions),
            }
        )

    def _root(self, root: plan_model.PlanRoot, combining: plan_model.Combining | None) -> Data:
        made = {"kind": root.kind, "op": self._op(root.op)}
        if combining is None:
            return made
        narrow = [str(format) for format in combining.narrow if format is not None]
        return _kept({**made, "order": str(combining.order), "rounded_once_to": narrow})

    def _versions(self, versions: plan_model.Versions) -> Data:
        """Describe versions by the accesses that are the reason for each."""
        has_overlap = versions.overlap is not plan_model.OverlapPolicy.NONE
        return _kept(
            {
                "edges": self._accesses(versions.edges),
                "contiguous": self._accesses(versions.contiguous),
                "stride_two": self._accesses(versions.stride_two),
                "streamed": self._accesses(versions.streamed),
                "overlap": str(versions.overlap) if has_overlap else None,
                "hazards": self._accesses(versions.late_loads),
                "buffers": [slot.number for slot in versions.slots],
            }
        )

    def _accesses(self, ops: Iterable[Operation]) -> list[str]:
        return [self._op(op) for op in ops]

    def _op(self, op: Operation) -> str:
        """Return a text that names an operation: its results and its class, such as ``%3 = arith.addf``, or
        without results its class; the tile that it stores follows.
        """
        results = ", ".join(self.names[value] for value in op.results)
        value = getattr(op, "value", None)
        stored = f" {self.names[value]}" if isinstance(value, Value) and value in op.operands else ""
        return f"{results} = {op.kind.name}{stored}" if results else f"{op.kind.name}{stored}"

    # --- details

    def _detail(self, detail: plan_model.OperationDetail | None) -> Data:
        if isinstance(detail, products.ProductPlan):
            return {"product": self._product(detail)}
        if isinstance(detail, plan_model.Moves):
            return {"moves": [self._move(move) for move in detail.moves if move.copies]}
        return (
            {"buffers": [slot.number for slot in detail.slots]}
            if isinstance(detail, plan_model.Temporaries)
            else {}
        )

    def _move(self, move: plan_model.Move) -> Data:
        copies = [f"{self.names[source]} to {self.names[target]}" for source, target in move.copies]
        return _kept(
            {"when": str(move.when), "copies": copies, "through": [slot.number for slot in move.through]}
        )

    def _product(self, plan: products.ProductPlan) -> Data:
        block = plan.block
        return _kept(
            {
                "block": {"rows": block.height, "vectors": block.vectors, "lanes": block.lanes},
                "depth": {"words": block.words, "unroll": block.unroll},
                "instruction": plan.kind.name,
                "unit": "matrix tiles, four for sums" if plan.kind.is_tiled else "",
                "sums": str(plan.kind.sum),
                "batches": plan.batches,
                "is_transposed": plan.is_transposed,
                "left": self._factor(plan.left),
                "right": self._factor(plan.right),
            }
        )

    def _factor(self, plan: products.FactorPlan) -> Data:
        is_packed = plan.source.is_packed
        return _kept(
            {
                "tile": self.names[plan.factor.value],
                "read": str(plan.source),
                "why": str(plan.obstacle),
                "packing": str(plan.packing) if is_packed else None,
                "panel": plan.width,
                "buffer": plan.slot.number if is_packed else None,
                "is_masked": plan.is_masked and is_packed,
                "is_asked_ahead": plan.is_asked_ahead,
            }
        )


def _distance(stride: access_facts_positions.Position) -> str:
    """Return the description of a row by its stride in elements, such as ``contiguous`` or ``with a stride of
    4``.
    """
    if not isinstance(stride, int):
        return "with a run-time stride"
    return {0: "of one element", 1: "contiguous"}.get(stride, f"with a stride of {stride}")


def _limits(found: views.TileOfMemory | views.RowsOfMemory) -> Data:
    """Return the entry ``limits``: the number of elements in bounds along each dimension, None where it is
    known at run time only.
    """
    return {"limits": [limit if isinstance(limit, int) else None for limit in found.limits]}


def _slot(slot: plan_model.BufferSlot) -> Data:
    place = {"place": "stack"} if slot.offset is None else {"place": "scratch", "offset": slot.offset}
    return {"buffer": slot.number, "bytes": slot.bytes, **place, "use": slot.use}


def _form(form: plan_model.NestForm) -> Data:
    made = {"along": form.along, "plain": _vectors(form.plain), "masked": _vectors(form.masked)}
    squares = {"dimension": form.transposed, "rows": form.square} if form.transposed >= 0 else None
    return _kept({**made, "squares": squares, "is_light": form.is_light, "group": form.group or None})


def _vectors(vectors: plan_model.Vectors) -> Data:
    return {"lanes": vectors.lanes, "count": vectors.count}


def _kept(data: Data) -> Data:
    """Return a description without entries that are false, None or empty; numbers are kept, even 0."""
    return {
        key: value for key, value in data.items() if value or (isinstance(value, int) and value is not False)
    }


# --- text


def _kernel_lines(data: Data) -> Iterator[str]:
    yield f"kernel @{data['kernel']} for {data['processor']}, vectors of {data['vector_bytes']} bytes"
    if data["tiles"]:
        yield "memory:"
    slots = {slot["buffer"]: slot for slot in data["buffers"]}
    for tile in data["tiles"]:
        yield f"{INDENT}{tile['tile']}: {tile['type']}, {_place(tile, slots)}"
        yield f"{INDENT * 3}since {tile['why']}"
    of_tiles = {tile.get("buffer") for tile in data["tiles"]}
    for slot in data["buffers"]:
        if slot["buffer"] not in of_tiles:
            yield f"{INDENT}buffer {slot['buffer']}: {slot['use']}, {_slot_text(slot)}"
    if data["accesses"]:
        yield "accesses:"
    yield from _indented(map(_access_line, data["accesses"]))
    yield "steps:"
    yield from _indented(_steps_lines(data["steps"]))


def _access_line(access: Data) -> str:
    words = [access["memory"]] if "memory" in access else [f"rows {access['rows']}"]
    words += [access["packed"]] if "packed" in access else []
    words += [f"if {access['tests']} tests pass (no offset wraps)"] if "tests" in access else []
    words += [f"a whole tile if {access['whole']} tests pass"] if "whole" in access else []
    if "limits" in access:
        count = "x".join("?" if limit is None else str(limit) for limit in access["limits"])
        words.append(f"elements in bounds: {count or '1'}")
    return f"{access['op']}: {'; '.join(words)}"


def _place(tile: Data, slots: Mapping[int, Data]) -> str:
    """Return a text for the memory of a tile: its buffer slot, or the tile whose memory it uses."""
    slot = slots.get(tile.get("buffer", -1))
    held = f" ({_slot_text(slot)})" if slot is not None and "source" not in tile else ""
    return f"{' '.join([tile['origin'], *([tile['source']] if 'source' in tile else [])])}{held}"


def _slot_text(slot: Data) -> str:
    place = "on the stack" if slot["place"] == "stack" else f"at byte {slot['offset']} of the scratch memory"
    return f"{slot['bytes']} bytes {place}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (INDENT + line for line in lines)


def _steps_lines(steps: Sequence[Data]) -> Iterator[str]:
    """Describe steps in order; consecutive scalar steps without decisions share a line."""
    for plain, group in groupby(steps, is_plain):
        if plain:
            words = ", ".join(step["op"].partition(" = ")[0] for step in group)
            yield from wrap(f"single: {words}", LINE, subsequent_indent=INDENT * 2)
        else:
            for step in group:
                yield from step_lines(step)


def is_plain(step: Data) -> bool:
    """Return whether the description of a step has no decisions: a single operation without memory, copies or
    regions.
    """
    return step.keys() <= {"step", "op"}


def step_lines(step: Data) -> Iterator[str]:
    """Yield the description of a step as lines for people."""
    if step["step"] == "nest":
        yield from _nest_lines(step)
        return
    yield f"{'check of ' if step['step'] == 'check' else ''}{step['op']}"
    for key, value in step.items():
        if key not in ("step", "op", "regions", "product"):
            yield from _indented(_entry_lines(key, value))
    if "product" in step:
        yield from _indented(_product_lines(step["product"]))
    for region in step.get("regions", ()):
        yield f"{INDENT}region:"
        yield from _indented(_indented(_steps_lines(region)))


def _nest_lines(step: Data) -> Iterator[str]:
    form = step["form"]
    yield f"nest {'x'.join(map(str, step['shape'])) or 'of one element'}: {_form_text(form)}"
    for root in step["roots"]:
        order = f": {root['order']}" if "order" in root else ""
        rounded = (
            f", rounded once to {', '.join(root['rounded_once_to'])}" if "rounded_once_to" in root else ""
        )
        yield f"{INDENT}{root['kind']} {root['op']}{order}{rounded}"
    if step["apart"] != plan_model.FusionObstacle.FIRST:
        yield f"{INDENT}apart: {step['apart']}"
    yield from _indented(_indented_entries({"guards": step.get("guards")}))
    yield from _indented(_version_lines(step.get("versions", {})))


def _form_text(form: Data) -> str:
    plain, masked = _vectors_text(form["plain"]), _vectors_text(form["masked"])
    words = [f"{plain} along dimension {form['along']}" if form["along"] >= 0 else plain]
    words += [f"with masks {masked}"] if masked != plain else []
    if "squares" in form:
        words.append(
            f"squares with {form['squares']['rows']} rows of dimension {form['squares']['dimension']}"
        )
    words += [f"{form['group']} iterations at a time"] if "group" in form else []
    return ", ".join(
        [*words, *(["vectors of half the width, because memory is the bound"] if "is_light" in form else [])]
    )


def _vectors_text(vectors: Data) -> str:
    count, lanes = vectors["count"], vectors["lanes"]
    return f"{count} vector{'s' if count > 1 else ''} of {lanes}"


VERSIONS = {
    "edges": "without masks if all these accesses are in bounds",
    "contiguous": "with vectors if the offsets of these accesses do not wrap",
    "stride_two": "with shuffles if the rows of these accesses have stride 2",
    "streamed": "with non-temporal stores if all rows of these accesses begin at cache lines",
}


def _version_lines(versions: Data) -> Iterator[str]:
    for key, said in VERSIONS.items():
        if key in versions:
            yield f"version {said}: {'; '.join(versions[key])}"
    if "overlap" in versions:
        yield f"overlap: {versions['overlap']}: {'; '.join(versions['hazards'])}"


def _indented_entries(entries: Mapping[str, Any]) -> Iterator[str]:
    for key, value in entries.items():
        if value:
            yield from _entry_lines(key, value)


LISTS = ("buffers", "guards")
"""The properties of a step that have several values."""


def _entry_lines(key: str, value: Any) -> Iterator[str]:
    """Yield the lines of one property of a step, called `key`: ``key: value``, or a line for each move if
    `key` is ``moves``.
    """
    if key != "moves":
        yield f"{key}: {', '.join(str(item) for item in value) if key in LISTS else value}"
        return
    for move in value:
        through = f", through buffers {', '.join(map(str, move['through']))}" if "through" in move else ""
        yield f"{move['when']} copies {', '.join(move['copies'])}{through}"


def _product_lines(product: Data) -> Iterator[str]:
    block, depth = product["block"], product["depth"]
    yield f"block of {block['rows']} rows of {block['vectors']} vectors of {block['lanes']}, sums of {product['sums']}"
    yield f"depth of {depth['words']} words, {depth['unroll']} per iteration, by {product['instruction']}"
    if "unit" in product:
        yield f"computed in {product['unit']}"
    if "is_transposed" in product:
        yield "computed as the product of the transposed factors"
    for side in ("left", "right"):
        factor = product[side]
        why = f", since {factor['why']}" if "why" in factor else ""
        yield f"{side} {factor['tile']}: {factor['read']}{why}"
        if "packing" in factor:
            yield f"{INDENT}panels of {factor['panel']}: {factor['packing']}, in buffer {factor['buffer']}"
        if "is_asked_ahead" in factor:
            yield f"{INDENT}the next panel is prefetched"
