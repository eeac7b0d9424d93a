"""What the launchers run in an installed program on Windows."""

import os
import sys

from payoff_modules import Modules

sys.frozen = True  # an installed program: it starts others of itself by its own executable
sys.meta_path.insert(0, Modules(os.path.dirname(os.path.abspath(__file__))))

import platform  # noqa: E402  and whatever follows is found there

# Asked what processor this is, Python would run cmd.exe in each process, to hear what Windows says
# of its version. Told nothing, it asks a library.
platform._syscmd_ver = lambda *_: ("", "", "")

if __name__ == "__main__":
    import multiprocessing

    multiprocessing.freeze_support()  # a process of the engine ends here
    from payoff.__main__ import main

    sys.exit(main())
