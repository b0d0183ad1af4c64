"""Operations on elements: those of dialects that `tt` shares with others, its own, and functions called by name."""
