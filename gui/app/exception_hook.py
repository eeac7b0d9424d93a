"""What nobody caught is logged and shown: a failing callback of Qt does not end the program."""

from __future__ import annotations

import sys

from gui.session.session import Session


def install_exception_hook(session: Session) -> None:
    """Log what nobody caught and show it as a message: a callback's failure must not be silent."""

    def hook(kind: type[BaseException], error: BaseException, trace: object) -> None:
        if isinstance(error, KeyboardInterrupt) or not isinstance(error, Exception):
            sys.__excepthook__(kind, error, error.__traceback__)
            return
        session.project.post(error)

    sys.excepthook = hook
