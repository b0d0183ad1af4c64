"""``cf`` to ``llvm``: converts branches, and the arguments of the blocks that they branch to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.dialects.cf import ops
from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, symbol as llvm_symbol
from tilewright.dialects.llvm.ops.control import BrOp, CondBrOp, SwitchOp, UnreachableOp
from tilewright.dialects.llvm.types import POINTER, VOID, LLVMArrayType, LLVMFunctionType
from tilewright.ir import block as ir_block, builder, builtin_attributes, builtin_types
from tilewright.ir.operation import Operation
from tilewright.ir.support.strings import utf8
from tilewright.ir.value import Value
from tilewright.lowering.emitter import LlvmEmitter
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.upstream_to_llvm import patterns as upstream_to_llvm_patterns
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet


def convert_block(
    site: upstream_to_llvm_patterns.LoweringSite[Any], block: ir_block.Block, values: Sequence[Value]
) -> NoMatch | None:
    """Convert the arguments of a block to the types of ``values``, which a branch passes to it. Return None
    if they have these types then, else the reason why it is not possible.
    """
    given = [argument.type for argument in block.arguments]
    wanted = [value.type for value in values]
    if given == wanted:
        return None
    conversion = site.converter.convert_signature(given)
    if conversion is None or conversion.types != wanted:
        return NoMatch("the arguments of a block cannot get the types of the passed values")
    site.rewriter.convert_block(block, conversion)
    return None


def _branch_to(
    site: upstream_to_llvm_patterns.LoweringSite[Any], groups: Sequence[Sequence[Value]]
) -> NoMatch | None:
    """Convert the arguments of a branch's successors; ``groups`` are the converted operands for each
    successor. Return None if it was possible, else the reason.
    """
    for block, values in zip(site.op.successors, groups, strict=True):
        refused = convert_block(site, block, values)
        if refused is not None:
            return refused
    return None


def _flat(operands: Sequence[Sequence[Value]]) -> tuple[Value, ...]:
    """Return the converted values of all operands in one tuple; an operand may have become several values."""
    return tuple(value for parts in operands for value in parts)


def _branch(site: upstream_to_llvm_patterns.LoweringSite[ops.BranchOp]) -> Sequence[Value] | NoMatch:
    values = _flat(site.adaptor.operands)
    refused = _branch_to(site, [values])
    if refused is None:
        site.emit.insert(BrOp, destOperands=values, dest=site.op.dest)
    return () if refused is None else refused


def _conditional_branch(
    site: upstream_to_llvm_patterns.LoweringSite[ops.CondBranchOp],
) -> Sequence[Value] | NoMatch:
    op, adaptor = site.op, site.adaptor
    groups = _flat(adaptor.trueDestOperands), _flat(adaptor.falseDestOperands)
    refused = _branch_to(site, groups)
    if refused is not None:
        return refused
    site.emit.insert(
        CondBrOp,
        condition=_flat([adaptor.condition])[0],
        trueDestOperands=groups[0],
        falseDestOperands=groups[1],
        branch_weights=op.branch_weights,
        trueDest=op.trueDest,
        falseDest=op.falseDest,
    )
    return ()


def _switch(site: upstream_to_llvm_patterns.LoweringSite[ops.SwitchOp]) -> Sequence[Value] | NoMatch:
    op, adaptor = site.op, site.adaptor
    rest, groups = list(adaptor.caseOperands), [_flat(adaptor.defaultOperands)]
    for size in op.case_operand_segments:
        groups.append(_flat(rest[:size]))
        del rest[:size]
    refused = _branch_to(site, groups)
    if refused is not None:
        return refused
    site.emit.insert(
        SwitchOp,
        value=_flat([adaptor.flag])[0],
        case_operand_segments=tuple(map(len, groups[1:])),
        defaultOperands=groups[0],
        caseOperands=_flat(groups[1:]),
        case_values=op.case_values,
        defaultDestination=op.defaultDestination,
        caseDestinations=op.caseDestinations,
    )
    return ()


# --- assertions


def _assert(site: upstream_to_llvm_patterns.LoweringSite[ops.AssertOp]) -> Sequence[Value]:
    """Branch on the condition of an assertion: continue if it holds, else print the message and abort."""
    op, rewriter, block = site.op, site.rewriter, site.block
    with rewriter.at(rewriter.point):
        failing = rewriter.create_block(site.region, location=op.location)
        _print_and_abort(site)
    going_on = rewriter.split_block(op)
    with rewriter.at(builder.InsertionPoint(block)):
        site.emit.insert(CondBrOp, condition=site.adaptor.arg, trueDest=going_on, falseDest=failing)
    return ()


def _print_and_abort(site: upstream_to_llvm_patterns.LoweringSite[Any]) -> None:
    emit = site.emit
    emit.call(
        upstream_to_llvm_patterns.declare_function(
            site.rewriter, site.op, "puts", LLVMFunctionType(VOID, (POINTER,))
        ),
        [_message(emit, site.op)],
    )
    emit.call(
        upstream_to_llvm_patterns.declare_function(site.rewriter, site.op, "abort", LLVMFunctionType(VOID)),
        [],
    )
    emit.insert(UnreachableOp)


def _message(emit: LlvmEmitter, op: ops.AssertOp) -> Value:
    """Add the message of an assertion to the enclosing module as a private string constant that ends in a
    zero byte, and return its address.
    """
    data = (*utf8(op.msg), 0)
    type, table = LLVMArrayType(builtin_types.i8, len(data)), upstream_to_llvm_patterns.enclosing_table(op)
    name = upstream_to_llvm_patterns.free_name(table, "assert_msg")
    value = builtin_attributes.dense(builtin_types.RankedTensorType((len(data),), builtin_types.i8), data)

    def make() -> Operation:
        return llvm_symbol.GlobalOp(
            global_type=type,
            sym_name=name,
            linkage=Linkage.PRIVATE,
            constant=True,
            value=value,
            initializer=ir_block.Region(),
        )

    upstream_to_llvm_patterns.add_symbol(emit.rewriter, table, make)
    return emit.address(emit(llvm_aggregate.AddressOfOp, name, type=POINTER), [0], type)


RULES: dict[type[Operation], upstream_to_llvm_patterns.Rule] = {ops.AssertOp: _assert}
"""The function that lowers each operation of ``cf`` without successors."""
BRANCHES: dict[type[Operation], upstream_to_llvm_patterns.Rule] = {
    ops.BranchOp: _branch,
    ops.CondBranchOp: _conditional_branch,
    ops.SwitchOp: _switch,
}
"""The function that lowers each branch; it gets a tuple of values for each operand."""


class BranchPattern(upstream_to_llvm_patterns.RulePattern):
    """The pattern that lowers a branch by a rule. An operand may become several values: the target block gets
    an argument for each of them.
    """

    one_to_n: ClassVar[bool] = True


def populate_cf_to_llvm(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns that lower ``cf``."""
    upstream_to_llvm_patterns.add_rules(patterns, converter, RULES)
    patterns.add(*(BranchPattern(root, rule, converter) for root, rule in BRANCHES.items()))


@dataclass(frozen=True)
class ConvertCFToLLVM(upstream_to_llvm_patterns.ToLLVMWithIndex):
    """Converts ``cf`` to ``llvm``; ``index-bitwidth`` is the width of ``index``, 0 for the machine's (64)."""

    name: ClassVar[str] = "convert-cf-to-llvm"

    def populate(self, patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
        populate_cf_to_llvm(patterns, converter)
