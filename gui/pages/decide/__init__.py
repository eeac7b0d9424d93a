"""Page Decide: what each decision earns, which depth and model pay, and how sure that is.

``DecidePage(session)`` is the whole page. It listens to the session and answers the user with
commands; nothing is computed here beyond what is read off the engine's results.
"""
