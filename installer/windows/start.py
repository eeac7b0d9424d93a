"""What the launchers run in an installed program on Windows."""

import sys

sys.frozen = True  # an installed program: it starts others of itself by its own executable

if __name__ == "__main__":
    import multiprocessing

    multiprocessing.freeze_support()  # a process of the engine ends here
    from payoff.__main__ import main

    sys.exit(main())
