"""Every operation has a rule or is structural."""

import pytest

from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.dialects.nv_tileaa.ops.program import WithOperandsOp
from tilewright.interp.rules import rule_set
from tilewright.interp.rules.rule_set import ALL_RULES, STRUCTURAL


def test_every_operation_is_covered_once():
    kinds = [ALL_RULES.rules, ALL_RULES.region_rules, ALL_RULES.control_rules, STRUCTURAL]
    for op_class in OPERATIONS:
        assert sum(op_class in kind for kind in kinds) == 1, op_class.__name__
    assert len(OPERATIONS) == 108


def test_no_rule_is_for_an_unknown_operation():
    known = {*OPERATIONS, WithOperandsOp}  # which `insert-checks` puts into kernels
    for table in (ALL_RULES.rules, ALL_RULES.region_rules, ALL_RULES.control_rules):
        assert known.issuperset(table)


@pytest.mark.parametrize("table", rule_set.TABLES)
def test_two_rules_for_an_operation_are_refused(table: rule_set.RuleTable, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rule_set, "TABLES", (*rule_set.TABLES, table))
    with pytest.raises(ValueError, match="two rules for"):
        rule_set._merged()
