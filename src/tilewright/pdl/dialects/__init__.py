"""The dialects ``pdl`` (patterns as people write them) and ``pdl_interp`` (the matcher that they are compiled to)."""
