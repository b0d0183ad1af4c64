"""One room per dialect: its types, attributes and operations."""
