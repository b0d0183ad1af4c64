"""The end of a conversion: real bridges where they are needed, then everything becomes final."""

from __future__ import annotations

from tilewright.ir.block import Block
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.rewrite import codes
from tilewright.rewrite.conversion.bridges import after_definition, unresolved
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.type_converter import TypeConverter


class Committer:
    """The end of a conversion: `resolve` inserts the casts that are needed, and may fail; then everything can
    still be undone. `commit` makes all changes final, and cannot fail.
    """

    def __init__(self, rewriter: ConversionRewriter) -> None:
        self.rewriter = rewriter

    # --- bridges

    def resolve(self, converter: TypeConverter | None) -> Diagnostic | None:
        """Replace provisional casts with materialisations of their converters, and insert materialisations by
        `converter` for operations that are not converted and use replaced values. Return None, or the error
        for the first materialisation that is not possible.
        """
        return self._resolve_targets() or self._resolve_sources(converter) or self._resolve_erased(converter)

    def _resolve_targets(self) -> Diagnostic | None:
        rewriter = self.rewriter
        for cast, converter in list(rewriter.casts.items()):
            if not any(self._is_live(result) for result in cast.results):
                rewriter.erase(cast)
                continue
            error = self._resolve_target(cast, converter)
            if error is not None:
                return error
        return None

    def _resolve_target(self, cast: Operation, converter: TypeConverter) -> Diagnostic | None:
        rewriter = self.rewriter
        origin = rewriter.lookup(cast.operands[0]) if len(cast.operands) == 1 else None
        if len(cast.results) == 1 and isinstance(origin, Value) and origin.type is cast.results[0].type:
            rewriter.replace(cast, origin)  # it was converted after all
            return None
        if len(cast.results) > 1:
            return None  # a bridge to several values is its own materialisation
        rewriter.place_before(cast)
        (type,), inputs = cast.result_types, cast.operands
        made = converter.materialize_target(rewriter, type, inputs, cast.location)
        if made is None:
            return unresolved(cast)
        rewriter.replace(cast, made)
        return None

    def _resolve_sources(self, converter: TypeConverter | None) -> Diagnostic | None:
        """Materialise values of the old types for operations that are not converted and use a replaced value.
        Return None, or the error for the first that is not possible.
        """
        rewriter = self.rewriter
        mapping = rewriter.mapping
        for old in list(mapping):
            if old.compact_uses is None or not self._is_live(old):  # most: their users were replaced, too
                continue
            new = rewriter.lookup(old)
            if isinstance(new, Value) and new.type is old.type:
                continue
            if isinstance(old, OpResult) and old.owner in rewriter.casts:
                continue
            error = self._resolve_source(old, (new,) if isinstance(new, Value) else new, converter)
            if error is not None:
                return error
        return None

    def _resolve_erased(self, converter: TypeConverter | None) -> Diagnostic | None:
        """Materialise replaced results that have live users but no replacement; return an error, or None."""
        rewriter = self.rewriter
        for op in list(rewriter.replaced_ops):
            for result in op.results:
                if (
                    result.compact_uses is not None
                    and result not in rewriter.mapping
                    and self._is_live(result)
                ):
                    error = self._resolve_source(result, (), converter)
                    if error is not None:
                        return error
        return None

    def _resolve_source(
        self, old: Value, new: tuple[Value, ...], converter: TypeConverter | None
    ) -> Diagnostic | None:
        rewriter = self.rewriter
        location = old.owner.location if isinstance(old, OpResult) else UNKNOWN
        rewriter.point = self._materialisation_point(old, new)
        made = converter.materialize_source(rewriter, old.type, new, location) if converter else None
        if made is None:
            return self._no_source(old, new)
        if old in rewriter.mapping:
            rewriter.log_undo(rewriter.mapping.__setitem__, old, rewriter.mapping.pop(old))
        rewriter.map_value(old, made)
        return None

    def _materialisation_point(self, old: Value, new: tuple[Value, ...]) -> InsertionPoint:
        """Return the point at which the value `old` is materialised from the values `new`: right before the
        operation of a result. For a block argument it is after the definitions of `new` if they are in its
        block, else the start of the block.
        """
        if isinstance(old, OpResult):
            return InsertionPoint.before(old.owner)
        block: Block = old.owner
        computed = after_definition(new)
        return (
            computed if computed is not None and computed.block is block else InsertionPoint.at_start(block)
        )

    def _no_source(self, old: Value, new: tuple[Value, ...]) -> Diagnostic:
        types = ", ".join(str(value.type) for value in new)
        location = old.owner.location if isinstance(old, OpResult) else UNKNOWN
        message = (
            f"failed to legalize unresolved materialization from ({types}) to ({old.type}) "
            "that remained live after conversion"
        )
        error = Diagnostic(Severity.ERROR, message, location, codes.UNRESOLVED_CAST)
        user = next(user for user in old.uses if not self.rewriter.is_gone(user))
        return error.note(f"see existing live user here: '{user.name}'", user.location)

    def _is_live(self, value: Value) -> bool:
        """Return whether an operation that will not be erased uses the value."""
        replaced, ignored = self.rewriter.replaced_ops, self.rewriter.ignored
        return any(user not in replaced and user not in ignored for user in value.users)

    # --- the end

    def commit(self) -> None:
        """Replace the uses of old values, then erase the replaced operations."""
        rewriter = self.rewriter
        for op in rewriter.replaced_ops:
            op.drop_all_references()
        for old in rewriter.mapping:
            if old.compact_uses is not None:
                old.replace_all_uses_with(rewriter.remapped(old))
        for op in rewriter.replaced_ops:
            if op.parent is not None:
                op.parent.remove(op)
