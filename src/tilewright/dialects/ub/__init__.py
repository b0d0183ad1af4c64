"""The ``ub`` dialect: undefined behaviour."""
