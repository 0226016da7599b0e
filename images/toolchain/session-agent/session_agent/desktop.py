"""The desktop's side of the agent: the way to Xvnc, and messages on the screen."""

import asyncio
import os
from http import HTTPStatus

from session_agent.web import BadRequest, WebSocket

TITLE_LIMIT = 200
TEXT_LIMIT = 2000


class Desktop:
    """The desktop behind one Unix socket of Xvnc."""

    def __init__(self, path):
        self.path = path
        self.has_answered = False

    async def is_up(self):
        """Whether Xvnc accepts connections; asked for real until it did once."""
        if not self.has_answered:
            try:
                _, writer = await asyncio.open_unix_connection(self.path)
            except OSError:
                return False
            writer.close()
            self.has_answered = True
        return True

    def open(self, request):
        return DesktopSocket(self.path)

    subprotocol = "binary"
    is_plain_allowed = True

    async def message(self, request):
        """Shows a desktop notification. Only for the platform, which comes by an exec."""
        if request.peer not in ("127.0.0.1", "::1"):
            return HTTPStatus.FORBIDDEN, "", b""
        body = request.json()
        title, text = body.get("Title"), body.get("Text")
        if not (isinstance(title, str) and isinstance(text, str) and title):
            raise BadRequest(HTTPStatus.BAD_REQUEST, "Title and Text are texts")
        # Only a critical one stays until it is read, and this one is about losing time.
        command = ["notify-send", "--app-name=Hypercube", "--urgency=critical"]
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                "--",
                title[:TITLE_LIMIT],
                text[:TEXT_LIMIT],
                stdin=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError:
            # The session has no process left to give.
            return HTTPStatus.SERVICE_UNAVAILABLE, "", b""
        try:
            code = await asyncio.wait_for(process.wait(), 5)
        except TimeoutError:
            process.kill()
            code = 1
        status = HTTPStatus.NO_CONTENT if code == 0 else HTTPStatus.SERVICE_UNAVAILABLE
        return status, "", b""


class DesktopSocket(WebSocket):
    """Bytes between a page and Xvnc. Whichever side is slow slows the other one down."""

    subprotocol = Desktop.subprotocol

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.server = None

    def on_open(self):
        # Nothing is read before there is somebody to give it to.
        self.pause_reading()
        self.connecting = asyncio.ensure_future(self.connect())

    async def connect(self):
        try:
            await self.loop.create_unix_connection(lambda: ServerConnection(self), self.path)
        except OSError as error:
            self.close(1011, os.strerror(error.errno) if error.errno else "")

    def on_binary(self, message):
        if self.server is None:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "the desktop speaks first")
        self.server.transport.write(message)

    def on_writable(self):
        if self.server is not None:
            self.server.transport.resume_reading()

    def on_close(self):
        self.connecting.cancel()
        if self.server is not None:
            self.server.transport.close()


class ServerConnection(asyncio.Protocol):
    """The connection to Xvnc that belongs to one page."""

    def __init__(self, page):
        self.page = page

    def connection_made(self, transport):
        self.transport = transport
        if not self.page.is_open:
            transport.abort()
            return
        self.page.server = self
        self.page.resume_reading()

    def connection_lost(self, error):
        self.page.close(1001)

    def data_received(self, data):
        self.page.send_binary(data)
        if not self.page.is_writable:
            self.transport.pause_reading()

    def pause_writing(self):
        self.page.pause_reading()

    def resume_writing(self):
        self.page.resume_reading()
