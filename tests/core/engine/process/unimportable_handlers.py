"""Imports in the test's process, and ends any engine that tries."""

import multiprocessing
import os

if multiprocessing.current_process().name != "MainProcess":
    os._exit(9)


def handlers():
    return {}
