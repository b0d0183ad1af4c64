"""Rewrite patterns as data: PDL compiled to ``pdl_interp``, its interpreter, and patterns made of both.

``compiled.compile_modules`` is what pattern sets call.  On the way a module of ``pdl.pattern`` operations becomes
positions and predicates (``reader``), one decision tree for all patterns (``tree``), a module of ``pdl_interp``
(``matcher``, ``rewriters``, ``compile``), and Python closures (``decode``, ``steps``).
"""
