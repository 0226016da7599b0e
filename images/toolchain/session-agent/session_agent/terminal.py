"""Terminals that outlive the connections to them.

Every byte that a terminal ever printed has a number, its offset in the stream, and so has every
piece of input that a client sends. Whoever comes back says how far it got and goes on from there:
nothing is lost and nothing arrives twice. The messages:

page → agent   text    attach, resize, received
               binary  0x02, u32 number of the input, bytes
agent → page   text    attached, refused, size, exit
               binary  0x01, u64 offset of the first byte, bytes
               binary  0x03, u32 number of the input that was taken
"""

import asyncio
import fcntl
import os
import pty
import re
import signal
import struct
import termios
from collections import OrderedDict
from datetime import UTC, datetime
from http import HTTPStatus
from json import dumps

from session_agent.web import BadRequest, WebSocket, parse_object

TERMINAL_LIMIT = 8
RING_SIZE = 4 * 1024 * 1024
# What a page without a memory of its own is shown.
REPLAY_SIZE = 256 * 1024
# How far a page may be behind before the program has to wait, and for how long it waits.
WINDOW = 1024 * 1024
STALL_LIMIT = 20
# Output is sent in steps: small enough to feel immediate, large enough to cost nothing.
FLUSH_INTERVAL = 0.008
FLUSH_SIZE = 32 * 1024
READ_SIZE = 64 * 1024
# Input that the program has not read yet.
INPUT_LIMIT = 1024 * 1024
KILL_DELAY = 2
CLIENTS_REMEMBERED = 64

NAME = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)
CLIENT = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)

OUTPUT = struct.Struct(">BQ")
NUMBERED = struct.Struct(">BI")
OUTPUT_KIND, INPUT_KIND, TAKEN_KIND = 1, 2, 3


class Refused(Exception):
    """A terminal that cannot be had; the reason is a code that the page has words for."""


class Ring:
    """The last bytes of a stream, by their offsets from its beginning."""

    def __init__(self):
        self.data = bytearray()
        self.start = 0

    @property
    def end(self):
        return self.start + len(self.data)

    def append(self, data):
        self.data += data
        # In large steps, since moving four megabytes for every line would be the main work.
        if len(self.data) > RING_SIZE + RING_SIZE // 8:
            surplus = len(self.data) - RING_SIZE
            del self.data[:surplus]
            self.start += surplus

    def read(self, offset, size):
        at = offset - self.start
        return bytes(self.data[at : at + size])

    def replay_offset(self):
        """Where the last part begins that is worth showing: at the start of a line."""
        if len(self.data) <= REPLAY_SIZE:
            cut = 0
        else:
            cut = len(self.data) - REPLAY_SIZE
        if self.start + cut == 0:
            return 0
        line = self.data.find(b"\n", cut)
        return self.start + (cut if line < 0 else line + 1)


class Terminal:
    """One program on a terminal of its own, and what it printed."""

    def __init__(self, name, node, folder, size, on_end):
        self.name = name
        self.node = node
        self.created_at = datetime.now(UTC)
        self.on_end = on_end
        self.size = size
        self.leader = None
        self.clients = set()
        # By client: number of the last input that was taken.
        self.taken = OrderedDict()
        self.ring = Ring()
        self.code = None
        self.loop = asyncio.get_running_loop()
        self.flushing = None
        self.flushed_at = 0.0
        self.flushed_to = 0
        self.unwritten = bytearray()
        self.is_reading = False
        self.pid, self.fd = start_program(node, folder, size)
        os.set_blocking(self.fd, False)
        self.process = os.pidfd_open(self.pid)
        self.loop.add_reader(self.process, self.ended)
        self.read_on()

    @property
    def is_alive(self):
        return self.code is None

    def title(self):
        """The program in front, as a window's title would name it."""
        if self.is_alive:
            try:
                with open(f"/proc/{os.tcgetpgrp(self.fd)}/comm", encoding="utf-8") as file:
                    return file.read().strip()
            except OSError:
                pass
        return ""

    def describe(self):
        return {
            "Name": self.name,
            "Node": self.node,
            "Title": self.title(),
            "IsAlive": self.is_alive,
            "Clients": len(self.clients),
            "CreatedAt": self.created_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }

    # From the program to the clients.

    def read_on(self):
        """Reads while nobody is too far behind: then the program waits, as on a slow line."""
        if self.fd is None:
            return
        is_wanted = all(self.ring.end - client.received <= WINDOW for client in self.clients)
        if is_wanted and not self.is_reading:
            self.loop.add_reader(self.fd, self.readable)
        elif self.is_reading and not is_wanted:
            self.loop.remove_reader(self.fd)
        self.is_reading = is_wanted

    def readable(self):
        try:
            data = os.read(self.fd, READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            # Nobody holds the other end any more; the program's own end is told apart from it.
            self.loop.remove_reader(self.fd)
            return
        self.ring.append(data)
        now = self.loop.time()
        # The first bytes after a silence are an echo that somebody waits for.
        if now - self.flushed_at > FLUSH_INTERVAL or self.ring.end - self.flushed_to >= FLUSH_SIZE:
            self.flush()
        elif self.flushing is None:
            self.flushing = self.loop.call_later(FLUSH_INTERVAL, self.flush)

    def flush(self):
        if self.flushing is not None:
            self.flushing.cancel()
            self.flushing = None
        self.flushed_at = self.loop.time()
        self.flushed_to = self.ring.end
        for client in list(self.clients):
            client.pump()
        self.read_on()

    def ended(self):
        """The program has ended: takes what it printed last, and its code."""
        self.loop.remove_reader(self.process)
        os.close(self.process)
        _, status = os.waitpid(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        # As shells count: a signal is 128 and its number.
        self.code = code if code >= 0 else 128 - code
        self.drain()
        self.loop.remove_reader(self.fd)
        self.loop.remove_writer(self.fd)
        os.close(self.fd)
        self.fd = None
        self.unwritten.clear()
        for client in self.clients:
            client.resume_reading()
        self.flush()
        self.on_end(self)

    def drain(self):
        """Reads what is left, but no more than a program that stays behind can print meanwhile."""
        for _ in range(RING_SIZE // READ_SIZE):
            try:
                data = os.read(self.fd, READ_SIZE)
            except OSError:
                return
            if not data:
                return
            self.ring.append(data)

    # From the clients to the program.

    def take(self, client, number, data):
        """Writes a numbered piece of input once. A number that leaves a gap is a mistake."""
        last = self.taken.get(client.identity, 0)
        if number > last + 1:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "an input is missing")
        if number == last + 1:
            self.taken[client.identity] = number
            self.taken.move_to_end(client.identity)
            self.lead(client)
            self.write(data)

    def write(self, data):
        if self.fd is None:
            return
        self.unwritten += data
        self.writable()
        if len(self.unwritten) > INPUT_LIMIT:
            for client in self.clients:
                client.pause_reading()

    def writable(self):
        try:
            written = os.write(self.fd, self.unwritten) if self.unwritten else 0
            del self.unwritten[:written]
        except BlockingIOError:
            pass
        except OSError:
            self.unwritten.clear()
        if self.unwritten:
            self.loop.add_writer(self.fd, self.writable)
            return
        self.loop.remove_writer(self.fd)
        for client in self.clients:
            client.resume_reading()

    def lead(self, client):
        """The client that was used last decides on the size."""
        self.leader = client
        if client.size == self.size or self.fd is None:
            return
        self.size = client.size
        set_size(self.fd, self.size)
        columns, rows = self.size
        for one in list(self.clients):
            one.tell({"Type": "size", "Columns": columns, "Rows": rows})

    # Clients.

    def add(self, client):
        # Whoever was cut off may come back before the old connection is noticed to be dead.
        for other in list(self.clients):
            if other.identity == client.identity:
                self.remove(other)
                other.close(1000, "replaced")
        self.taken.setdefault(client.identity, 0)
        while len(self.taken) > CLIENTS_REMEMBERED:
            self.taken.popitem(last=False)
        self.clients.add(client)
        if len(self.clients) == 1:
            self.lead(client)

    def remove(self, client):
        self.clients.discard(client)
        if self.leader is client:
            self.leader = None
        self.read_on()

    def end(self):
        """Ends every process that belongs to the terminal; first by a request."""
        if not self.is_alive:
            return
        signal_session(self.pid, signal.SIGHUP)
        self.loop.call_later(KILL_DELAY, signal_session, self.pid, signal.SIGKILL)


class Terminals:
    """All terminals of the session, by name."""

    subprotocol = "hypercube.terminal.1"
    is_plain_allowed = False

    def __init__(self, folder, nodes):
        self.folder = folder
        self.nodes = nodes
        self.byName = {}

    def open(self, request):
        return TerminalSocket(self)

    def list(self):
        return [terminal.describe() for terminal in self.byName.values()]

    def find_or_start(self, name, node, size):
        found = self.byName.get(name)
        if found is not None:
            return found
        if node and node not in self.nodes:
            raise Refused("no_such_node")
        if len(self.byName) >= TERMINAL_LIMIT:
            self.forget_dead()
        if len(self.byName) >= TERMINAL_LIMIT:
            raise Refused("too_many")
        remote = "" if node == os.uname().nodename else node
        try:
            terminal = Terminal(name, remote, self.folder, size, self.ended)
        except OSError:
            # No process or no terminal left within the session's limits.
            raise Refused("failed") from None
        self.byName[name] = terminal
        return terminal

    def forget_dead(self):
        """Makes room by the oldest terminal that has ended and that nobody looks at."""
        for terminal in self.byName.values():
            if not terminal.is_alive and not terminal.clients:
                del self.byName[terminal.name]
                return

    def close(self, name):
        terminal = self.byName.pop(name, None)
        if terminal is None:
            return False
        terminal.end()
        if not terminal.is_alive:
            self.ended(terminal)
        return True

    def ended(self, terminal):
        """A terminal that was closed has nobody to show its last lines to."""
        if self.byName.get(terminal.name) is not terminal:
            for client in list(terminal.clients):
                client.close(1000, "closed")


class TerminalSocket(WebSocket):
    """One page at one terminal."""

    subprotocol = Terminals.subprotocol

    def __init__(self, terminals):
        super().__init__()
        self.terminals = terminals
        self.terminal = None
        self.identity = ""
        self.size = (80, 24)
        # Stream offsets: handed to the network, and confirmed by the page.
        self.sent = 0
        self.received = 0
        self.received_at = 0.0
        self.watching = None
        self.is_exit_told = False

    def tell(self, message):
        self.send_text(dumps(message, ensure_ascii=False))

    def on_text(self, message):
        body = parse_object(message)
        kind = body.get("Type")
        if kind == "attach" and self.terminal is None:
            self.attach(body)
        elif self.terminal is None:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "not attached")
        elif kind == "resize":
            self.size = size_of(body)
            self.terminal.lead(self)
        elif kind == "received":
            self.confirm(offset_of(body, "Offset"))
        else:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "unknown message")

    def on_binary(self, message):
        if self.terminal is None or len(message) < NUMBERED.size:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "unknown message")
        kind, number = NUMBERED.unpack_from(message)
        if kind != INPUT_KIND:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "unknown message")
        self.terminal.take(self, number, message[NUMBERED.size :])
        self.send_binary(NUMBERED.pack(TAKEN_KIND, number))

    def attach(self, body):
        name, node = body.get("Name"), body.get("Node", "")
        identity, after = body.get("Client"), body.get("After")
        self.size = size_of(body)
        if not (isinstance(identity, str) and CLIENT.fullmatch(identity)):
            raise BadRequest(HTTPStatus.BAD_REQUEST, "no client")
        if not isinstance(node, str):
            raise BadRequest(HTTPStatus.BAD_REQUEST, "no node")
        self.identity = identity
        try:
            if not (isinstance(name, str) and NAME.fullmatch(name)):
                raise Refused("bad_name")
            terminal = self.terminals.find_or_start(name, node, self.size)
        except Refused as refusal:
            self.tell({"Type": "refused", "Reason": str(refusal)})
            self.close(1000, "refused")
            return
        ring = terminal.ring
        # A page may remember more than there is: of an agent that ran before this one.
        if after is None or offset_of(body, "After") > ring.end:
            start = ring.replay_offset()
        else:
            start = max(after, ring.start)
        self.sent = self.received = start
        self.received_at = self.loop.time()
        terminal.add(self)
        self.terminal = terminal
        columns, rows = terminal.size
        self.tell(
            {
                "Type": "attached",
                "Name": terminal.name,
                "From": start,
                "InputSeen": terminal.taken[identity],
                "Columns": columns,
                "Rows": rows,
                "IsAlive": terminal.is_alive,
            }
        )
        self.watching = self.loop.call_later(STALL_LIMIT / 4, self.watch, self.loop.time())
        self.pump()
        terminal.read_on()

    def pump(self):
        """Sends what the network and the page take. The rest waits in the ring, not in a queue."""
        ring = self.terminal.ring
        limit = self.received + WINDOW
        while self.is_open and self.is_writable and self.sent < min(ring.end, limit):
            data = ring.read(self.sent, min(FLUSH_SIZE, limit - self.sent))
            self.send_binary(OUTPUT.pack(OUTPUT_KIND, self.sent) + data)
            self.sent += len(data)
        if self.sent == ring.end and not self.terminal.is_alive and not self.is_exit_told:
            self.is_exit_told = True
            self.tell({"Type": "exit", "Code": self.terminal.code})

    def confirm(self, offset):
        if offset > self.sent:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "nothing was sent so far")
        if offset > self.received:
            self.received = offset
            self.received_at = self.loop.time()
            self.pump()
            self.terminal.read_on()

    def watch(self, asked):
        """A page that takes nothing while the program waits for it has to go."""
        now = self.loop.time()
        is_behind = self.terminal.ring.end - self.received > WINDOW
        # Slept with the whole session, as in WebSocket.tick.
        if not is_behind or now - asked > STALL_LIMIT / 2:
            self.received_at = now
        if now - self.received_at > STALL_LIMIT:
            self.transport.abort()
            return
        self.watching = self.loop.call_later(STALL_LIMIT / 4, self.watch, now)

    def on_writable(self):
        if self.terminal is not None:
            self.pump()

    def on_close(self):
        if self.watching is not None:
            self.watching.cancel()
        if self.terminal is not None:
            self.terminal.remove(self)


def size_of(body):
    """Columns and rows, within what a terminal can be."""
    size = body.get("Columns"), body.get("Rows")
    if not all(type(one) is int and 1 <= one <= 1000 for one in size):
        raise BadRequest(HTTPStatus.BAD_REQUEST, "no size")
    return size


def offset_of(body, field):
    offset = body.get(field)
    if type(offset) is not int or offset < 0:
        raise BadRequest(HTTPStatus.BAD_REQUEST, "no offset")
    return offset


def start_program(node, folder, size):
    """Starts the login shell, here or on another node; answers its process and its terminal."""
    shell = os.environ.get("SHELL") or "/bin/bash"
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("HC_AGENT_")
    }
    environment.update(TERM="xterm-256color", COLORTERM="truecolor")
    if node:
        remote = f'cd {quote(folder)} 2>/dev/null; exec "${{SHELL:-/bin/bash}}" -l'
        command = ["ssh", "-t", node, remote]
    else:
        command = [shell, "-l"]
    pid, fd = pty.fork()
    if pid:
        return pid, fd
    # In the new process, which must never come back into the agent's code.
    try:
        set_size(0, size)
        try:
            os.chdir(folder)
        except OSError:
            os.chdir(os.environ.get("HOME", "/"))
        # Python ignores it for itself; a shell would hand that on to every pipe.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execvpe(command[0], command, environment)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\r\n".encode())
    finally:
        os._exit(127)


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def set_size(fd, size):
    columns, rows = size
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def signal_session(leader, number):
    """Signals every process of a terminal's session: background jobs have groups of their own."""
    for entry in os.listdir("/proc"):
        if not entry.isdecimal():
            continue
        try:
            with open(f"/proc/{entry}/stat", "rb") as file:
                session = int(file.read().rpartition(b")")[2].split()[3])
            if session == leader:
                os.kill(int(entry), number)
        except (OSError, IndexError):
            continue
