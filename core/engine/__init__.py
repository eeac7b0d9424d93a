"""The engine: jobs, progress, stopping, the worker process and its client.

The window's side is ``core.engine.client.EngineClient`` with the records of
``core.engine.messages``; it imports nothing heavy. Scripts, headless runs and tests use
``core.engine.local.LocalEngine``, which runs the same handlers in this process.
"""
