"""Page Decide: what each decision earns, which depth and model pay, and how sure that is.

``DecidePage(workspace)`` is the whole page. It listens to the workspace and answers the user with
commands; nothing is computed here beyond what is read off the engine's results.
"""
