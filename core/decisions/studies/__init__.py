"""Studies of decided cases: gaps, hold-outs, swap sets, rankings, lists, tables, shift."""
