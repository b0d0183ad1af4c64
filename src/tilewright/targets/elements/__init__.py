"""What one element becomes, for any number of lanes: conversions, rounding, arithmetic, elementary functions."""
