"""Jobs as the window sees them: the engine's events turned into Qt signals, and the strip below."""

from gui.jobs.queue import EngineFace, JobEntry, JobQueue
from gui.jobs.request import Request

__all__ = ["EngineFace", "JobEntry", "JobQueue", "Request"]
