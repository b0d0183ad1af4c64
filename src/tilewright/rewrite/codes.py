"""Diagnostic codes of rewriting and conversion (TW07xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

FIXED_POINT_NOT_REACHED = code(
    701,
    "fixed-point not reached",
    "The greedy driver stopped after its last iteration although it still changed the IR. The IR is "
    "valid, only less simplified than it could be. Two patterns that undo each other are the usual "
    "cause: `tilewright opt --debug-rewrites` shows the patterns that fire. `max-iterations` sets the "
    "number of iterations.",
)
ILLEGAL_OPERATION = code(
    702,
    "operation cannot be converted",
    "A conversion had to remove this operation and no pattern could: the notes list the patterns that were tried and "
    "why each declined. The module was left as it was before the conversion.",
)
UNRESOLVED_CAST = code(
    703,
    "bridge between two type systems was left over",
    "A `builtin.unrealized_conversion_cast` stands between a value that was converted and a user that was not, or the "
    "other way round. Convert the user, too, or teach the type converter how to materialise the bridge.",
)
SIGNATURE_CONVERSION = code(
    704,
    "function signature cannot be converted",
    "The type converter has no rule for a type in the signature of a function.",
)
PDL_LOWERING = code(
    705,
    "PDL patterns cannot be compiled",
    "A module of PDL patterns names an operation, attribute or native function that is not registered, or is not well "
    "formed. A pass that uses the module fails: going on without its patterns would change what the pass does.",
)
TWO_CONVERTERS = code(
    706,
    "two type converters in one pass",
    "All patterns, legality rules and materialisations of one conversion must share one type converter: two of them "
    "may disagree about the form of a function argument, and the module would verify and be wrong.",
)
ADDRESS_SPACE = code(
    707,
    "implicit change of the address space",
    "A conversion would move a pointer from one memory space to another without a cast. Memory spaces are different "
    "memories: write the cast.",
)
PATTERN_BROKE_CONTRACT = code(
    708,
    "pattern says one thing and does another",
    "A pattern returned success and changed nothing (it would be applied for ever), or it declined after it had changed "
    "something. Change the IR through the rewriter only, return None after a rewrite, and `rewriter.no_match(reason)` "
    "before the first change otherwise. Or it matched an operation whose operands its `defined_by` excludes: without "
    "`--debug-rewrites` it is not tried there.",
)
NO_CONSTANTS = code(
    709,
    "dialect folds and makes no constants",
    "An operation folded to an attribute, and its dialect has no `materialize_constant` to make an "
    "operation of that. Give the `Dialect` the hook: `materialize_constant(value, type, location)` "
    "returns a constant operation, of any dialect, or None for a value without a constant.",
)
