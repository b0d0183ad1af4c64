"""All evaluation rules: one explicit list of the modules that hold them."""

from __future__ import annotations

from tilewright.dialects.cuda_tile.ops import control as ops_control
from tilewright.interp.rules import (
    atomic as rules_atomic,
    control_rules as rules_control,
    conversion as rules_conversion,
    float as rules_float,
    integer as rules_integer,
    memory_rules as rules_memory,
    outside as rules_outside,
    reduce as rules_reduce,
    tile as rules_tile,
    view as rules_view,
)
from tilewright.interp.rules.rule import RuleTable
from tilewright.ir.operation import Operation

TABLES: tuple[RuleTable, ...] = (
    rules_control.RULES,
    rules_tile.RULES,
    rules_reduce.RULES,
    rules_float.RULES,
    rules_integer.RULES,
    rules_conversion.RULES,
    rules_view.RULES,
    rules_memory.RULES,
    rules_atomic.RULES,
    rules_outside.RULES,
)

STRUCTURAL: tuple[type[Operation], ...] = (ops_control.ModuleOp, ops_control.EntryOp, ops_control.GlobalOp)
"""Operations that hold a program together and are not executed."""


def _merged() -> RuleTable:
    merged = RuleTable()
    for table in TABLES:
        _refuse_twice(merged, table)
        merged.rules.update(table.rules)
        merged.region_rules.update(table.region_rules)
        merged.control_rules.update(table.control_rules)
    return merged


def _refuse_twice(known: RuleTable, table: RuleTable) -> None:
    taken = {*known.rules, *known.region_rules, *known.control_rules}
    for op_class in (*table.rules, *table.region_rules, *table.control_rules):
        if op_class in taken:
            raise ValueError(f"two rules for {op_class.__name__}")


ALL_RULES = _merged()
"""The rule of every executable operation."""
