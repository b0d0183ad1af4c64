"""The findings of launches: their messages, and the record of them."""
