"""At most one request under way; meanwhile the newest wish waits and older ones are dropped."""

from __future__ import annotations

from collections.abc import Callable

Send = Callable[[Callable[[], None]], None]


class NewestOnly:
    """Throttles requests whose answer only matters for the newest state.

    ``send(done)`` starts a request and calls ``done`` at its end. Nothing is cancelled: each answer
    is shown, and a request is sent again if something changed meanwhile, so a drag never starves.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._is_busy = False
        self._is_wanted = False

    @property
    def is_busy(self) -> bool:
        """Whether a request is under way."""
        return self._is_busy

    @property
    def is_wanted(self) -> bool:
        """Whether another request waits for the end of the present one."""
        return self._is_wanted

    def request(self) -> None:
        """Ask now, or as soon as the present request has ended."""
        if self._is_busy:
            self._is_wanted = True
            return
        self._is_busy = True
        self._send(self._done)

    def _done(self) -> None:
        self._is_busy = False
        if self._is_wanted:
            self._is_wanted = False
            self.request()
