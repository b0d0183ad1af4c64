"""From ``pdl`` to ``pdl_interp``: patterns are read, their predicates ordered, and one matcher written for all."""
