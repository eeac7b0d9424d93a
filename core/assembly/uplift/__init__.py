"""The experiment of a document: arms, outcome, rankings, chances of treatment, prices."""
