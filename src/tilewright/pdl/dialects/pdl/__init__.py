"""The ``pdl`` dialect: rewrite patterns as data."""
