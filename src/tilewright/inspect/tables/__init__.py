"""What tables in data tell: code pointers, hash tables, patterns and passes."""
