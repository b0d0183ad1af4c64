"""PDL, rewrite patterns as data: its two dialects, the compiler between them, and the interpreter that runs patterns.

``patterns.add_pdl`` appends a module of ``pdl.pattern`` operations to a pattern set.  When the set is frozen, the module
becomes positions and predicates (``compiler.reader``), one decision tree for all patterns (``compiler.tree``), a module
of ``pdl_interp`` (``compiler.matcher``, ``compiler.rewriters``, ``compiler.compile``), and Python closures
(``interpreter``).
"""
