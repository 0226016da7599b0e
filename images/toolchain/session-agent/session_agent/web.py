"""HTTP and WebSocket, as much of them as a gateway in front needs.

The frames of the WebSocket protocol come from Debian's python3-websockets. Its own server speaks
GET only and keeps a buffer of its own per connection; here the flow is the callers' to steer.
"""

import asyncio
import json
import urllib.parse
from http import HTTPStatus

from websockets.frames import Opcode
from websockets.protocol import SERVER, State
from websockets.protocol import Protocol as Wire
from websockets.utils import accept_key

HEAD_LIMIT = 16 * 1024
BODY_LIMIT = 64 * 1024
# Seconds for a whole request to arrive; a gateway needs milliseconds.
REQUEST_TIMEOUT = 10
PING_INTERVAL = 10
SILENCE_LIMIT = 20


class BadRequest(Exception):
    """A request or message that no page of ours sends."""

    def __init__(self, status, reason=""):
        super().__init__(reason)
        self.status = status


class Request:
    """One request, with its body."""

    def __init__(self, method, target, headers, peer):
        address = urllib.parse.urlsplit(target)
        self.method = method
        self.path = address.path
        self.query = dict(urllib.parse.parse_qsl(address.query))
        self.headers = headers
        self.peer = peer
        self.body = b""

    def json(self):
        """The body as an object."""
        return parse_object(self.body)


def parse_object(text):
    """A JSON object, or a refusal of what is none."""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise BadRequest(HTTPStatus.BAD_REQUEST, "not a JSON object")
    return value


class Site:
    """What is served: `pages` by method and path, `sockets` by path."""

    def __init__(self):
        self.pages = {}
        self.sockets = {}

    async def answer(self, request):
        """Status, type and body for a request."""
        page = self.pages.get((request.method, request.path))
        if page is None:
            known = {path for _, path in self.pages} | self.sockets.keys()
            is_known = request.path in known
            return (HTTPStatus.METHOD_NOT_ALLOWED if is_known else HTTPStatus.NOT_FOUND), "", b""
        try:
            return await page(request)
        except BadRequest as error:
            return error.status, "text/plain", str(error).encode()


class HttpConnection(asyncio.Protocol):
    """One connection, one request: answers it, or becomes a WebSocket."""

    def __init__(self, site):
        self.site = site
        self.buffer = bytearray()
        self.request = None
        self.answering = None

    def connection_made(self, transport):
        self.transport = transport
        loop = asyncio.get_running_loop()
        self.deadline = loop.call_later(REQUEST_TIMEOUT, transport.abort)

    def connection_lost(self, error):
        self.deadline.cancel()

    def data_received(self, data):
        self.buffer += data
        if self.answering is not None:
            return
        try:
            if self.request is None and not self.read_head():
                return
            length = int(self.request.headers.get("content-length") or 0)
            if not 0 <= length <= BODY_LIMIT:
                raise BadRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except (BadRequest, ValueError) as error:
            self.write(getattr(error, "status", HTTPStatus.BAD_REQUEST), "", b"")
            return
        if "websocket" in self.request.headers.get("upgrade", "").lower():
            self.upgrade()
        elif len(self.buffer) >= length:
            self.deadline.cancel()
            self.request.body = bytes(self.buffer[:length])
            # Kept, since a task that nobody holds may vanish half-way.
            self.answering = asyncio.ensure_future(self.respond())

    def read_head(self):
        """Reads the request line and the headers once they are complete."""
        end = self.buffer.find(b"\r\n\r\n")
        if end > HEAD_LIMIT or (end < 0 and len(self.buffer) > HEAD_LIMIT):
            raise BadRequest(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        if end < 0:
            return False
        first, *lines = bytes(self.buffer[:end]).decode("latin-1").split("\r\n")
        del self.buffer[: end + 4]
        words = first.split(" ")
        if len(words) != 3 or not words[2].startswith("HTTP/1.") or not words[1].startswith("/"):
            raise BadRequest(HTTPStatus.BAD_REQUEST)
        headers = {}
        for line in lines:
            name, colon, value = line.partition(":")
            if not colon:
                raise BadRequest(HTTPStatus.BAD_REQUEST)
            headers[name.strip().lower()] = value.strip()
        peer = self.transport.get_extra_info("peername")
        self.request = Request(words[0], words[1], headers, peer[0] if peer else "")
        return True

    async def respond(self):
        status, kind, body = await self.site.answer(self.request)
        self.write(status, kind, body)

    def write(self, status, kind, body):
        head = [
            f"HTTP/1.1 {int(status)} {HTTPStatus(status).phrase}",
            "Connection: close",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
        ]
        if status != HTTPStatus.NO_CONTENT:
            head.append(f"Content-Length: {len(body)}")
        if body:
            head.append(f"Content-Type: {kind}; charset=utf-8")
        self.transport.write("\r\n".join([*head, "", ""]).encode() + body)
        self.transport.close()

    def upgrade(self):
        """Turns the connection over to the socket that lives at the path."""
        request = self.request
        socket = self.site.sockets.get(request.path)
        key = request.headers.get("sec-websocket-key", "")
        if socket is None:
            return self.write(HTTPStatus.NOT_FOUND, "", b"")
        if request.method != "GET" or not key or request.headers.get("sec-websocket-version") != "13":
            return self.write(HTTPStatus.BAD_REQUEST, "", b"")
        offered = [
            name.strip() for name in request.headers.get("sec-websocket-protocol", "").split(",")
        ]
        if socket.subprotocol not in offered and not (socket.is_plain_allowed and offered == [""]):
            return self.write(HTTPStatus.BAD_REQUEST, "text/plain", b"unknown sub-protocol")
        head = [
            "HTTP/1.1 101 Switching Protocols",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Accept: {accept_key(key)}",
        ]
        if socket.subprotocol in offered:
            head.append(f"Sec-WebSocket-Protocol: {socket.subprotocol}")
        self.deadline.cancel()
        self.transport.write("\r\n".join([*head, "", ""]).encode())
        connection = socket.open(request)
        self.transport.set_protocol(connection)
        connection.connection_made(self.transport)
        if self.buffer:
            connection.data_received(bytes(self.buffer))
        return None


class WebSocket(asyncio.Protocol):
    """One WebSocket. What arrives is handed to `on_text` and `on_binary` message by message."""

    subprotocol = ""
    # Whether a client may come without naming a sub-protocol.
    is_plain_allowed = False
    max_message = 1024 * 1024

    def __init__(self):
        self.wire = Wire(SERVER, state=State.OPEN, max_size=self.max_message)
        self.parts = []
        self.kind = None
        self.is_writable = True
        self.is_reading = True

    # What a kind of socket does.

    def on_open(self):
        """The connection stands."""

    def on_text(self, message):
        """A text message arrived."""
        raise BadRequest(HTTPStatus.BAD_REQUEST, "no text expected")

    def on_binary(self, message):
        """A binary message arrived."""
        raise BadRequest(HTTPStatus.BAD_REQUEST, "no bytes expected")

    def on_writable(self):
        """What was sent has drained, so more may follow."""

    def on_close(self):
        """The connection is gone."""

    # What it can do.

    def send_text(self, message):
        if self.is_open:
            self.wire.send_text(message.encode())
            self.flush()

    def send_binary(self, message):
        if self.is_open:
            self.wire.send_binary(message)
            self.flush()

    def close(self, code=1000, reason=""):
        if self.is_open:
            self.wire.send_close(code, reason)
            self.flush()
            # A client that does not answer must not keep the connection.
            self.loop.call_later(5, self.transport.abort)

    def pause_reading(self):
        if self.is_reading:
            self.is_reading = False
            self.transport.pause_reading()

    def resume_reading(self):
        if not self.is_reading:
            self.is_reading = True
            self.heard_at = self.loop.time()
            self.transport.resume_reading()

    @property
    def is_open(self):
        return self.wire.state is State.OPEN and not self.transport.is_closing()

    # How asyncio drives it.

    def connection_made(self, transport):
        self.loop = asyncio.get_running_loop()
        self.transport = transport
        self.heard_at = self.loop.time()
        self.ticking = self.loop.call_later(PING_INTERVAL, self.tick, self.heard_at + PING_INTERVAL)
        self.on_open()

    def connection_lost(self, error):
        self.ticking.cancel()
        self.on_close()

    def data_received(self, data):
        self.heard_at = self.loop.time()
        self.wire.receive_data(data)
        try:
            for frame in self.wire.events_received():
                self.take(frame)
        except BadRequest as error:
            self.wire.fail(1008, str(error))
        self.flush()

    def eof_received(self):
        self.transport.abort()

    def pause_writing(self):
        self.is_writable = False

    def resume_writing(self):
        self.is_writable = True
        self.on_writable()

    def take(self, frame):
        """Puts a message together from its frames; pings and closes are the wire's own business."""
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self.kind = frame.opcode
            self.parts = []
        elif frame.opcode is not Opcode.CONT:
            return
        self.parts.append(frame.data)
        if frame.fin:
            message = b"".join(self.parts)
            self.parts = []
            if self.kind is Opcode.TEXT:
                self.on_text(message)
            else:
                self.on_binary(message)

    def flush(self):
        for data in self.wire.data_to_send():
            if data:
                self.transport.write(data)
            else:
                self.transport.close()

    def tick(self, due):
        """Asks whether the other end is still there, and ends the connection when it is not."""
        now = self.loop.time()
        # A session that was paused has slept itself: the silence is not the other end's.
        if now > due + 5:
            self.heard_at = now
        if self.is_reading and now - self.heard_at > SILENCE_LIMIT:
            self.transport.abort()
            return
        if self.is_open:
            self.wire.send_ping(b"")
            self.flush()
        self.ticking = self.loop.call_later(PING_INTERVAL, self.tick, now + PING_INTERVAL)
