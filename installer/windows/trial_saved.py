"""Save a changed project under Windows: ``python.exe trial_saved.py PROJECT TARGET``.

Run by a python.exe in ``_internal`` of the installed program, with its libraries.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    import start  # noqa: F401  the program's own beginning: it finds the modules

    import payoff

    project = payoff.open_project(sys.argv[1])
    project.set_priors((("0", 0.9), ("1", 0.1)))
    print(f"saved with 10 % of ones: {project.save(sys.argv[2]).name}")
