"""The curves that ship: charts of page Compare, through the same door as third parties'."""
