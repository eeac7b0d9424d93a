"""Made-up results of a direct mail campaign, for window tests and screenshots.

Nothing here is read from the engine: 20,000 customers, 5 % of whom respond, three models of
different quality (the third rates low chances too low), a letter at 1.60 and a response worth
25.60. The totals that belong together do: the chart at the rule equals the sum of the decision
table, and the last point of a curve is what acting on all brings.
"""

from tests.helpers.answers.synthetic.campaign import MODELS
from tests.helpers.answers.synthetic.decisions import make_decisions, make_reading
from tests.helpers.answers.synthetic.document import make_document
from tests.helpers.answers.synthetic.evaluation import make_evaluation

__all__ = ["MODELS", "make_decisions", "make_document", "make_evaluation", "make_reading"]
