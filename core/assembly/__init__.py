"""From a document to arrays: the only way, for window, scripts, command line and reports.

Tables, rows, outcomes, scores, weights, matrix, costs, priors, trained models, experiments.
What this package needs of the program around it is ``context.AssemblyContext``; it imports nothing
of the engine, which runs the questions that are asked of what is made here.
"""
