"""Jobs as the window sees them: the engine's events turned into Qt signals, and the strip below."""

from gui.jobs.queue import EngineFace, JobEntry, JobQueue
from gui.jobs.terms import ALWAYS, Terms

__all__ = ["ALWAYS", "EngineFace", "JobEntry", "JobQueue", "Terms"]
