"""Jobs as the window sees them: the engine's events turned into Qt signals, and the strip below."""

from gui.session.job_queue import EngineApi, JobEntry, JobQueue
from gui.session.request import Request

__all__ = ["EngineApi", "JobEntry", "JobQueue", "Request"]
