"""Analysis of tables in data: code pointers, hash tables, patterns and passes."""
