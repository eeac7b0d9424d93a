"""The window's hold on the engine's processes: queues, Stop, death, new start, who is to blame.

It knows the messages and how a process begins, and nothing of what is worked out there.
"""
