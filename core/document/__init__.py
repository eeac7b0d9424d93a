"""The frozen document, its commands, history, results' shapes and the project file.

Imports only ``payoff`` and the standard library, so that the window can start without the engine.
"""
