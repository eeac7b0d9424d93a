"""The jobs of page Decide: totals, the cursor, its studies, saving and handing over the rule."""
