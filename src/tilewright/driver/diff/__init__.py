"""The differences between the programs of two modules.

`tilewright.driver.diff.comparison.diff` is the entry point. Operations are matched (`matching`) by identities of
several precisions (`identities`) with sequence alignment (`alignment`); each pair is then compared part by part
(`comparison`) and shown (`report`).
"""
