"""What page Decide asks: totals, depths, ways to decide, cases one by one, lists of new cases."""
