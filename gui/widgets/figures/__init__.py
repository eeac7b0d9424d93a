"""Small drawings in lines of figures: intervals, bars, curves."""
