"""Page Report: what was put on it, in which order and under which words, as it will be printed."""
