"""Facts about operations that hold whatever code is made: which access memory, which are computed at their uses, and
which are checked.
"""
