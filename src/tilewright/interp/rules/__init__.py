"""One evaluation rule for each operation."""
