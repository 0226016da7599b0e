"""Puts the agent together and runs it."""

import asyncio
import gc
import json
import os
import signal
from http import HTTPStatus

from session_agent.desktop import Desktop
from session_agent.terminal import Terminals
from session_agent.web import HttpConnection, Site


def main():
    """Serves until the session ends."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # What was made while starting lives as long as the agent.
    gc.freeze()
    asyncio.run(serve(int(os.environ["HC_AGENT_PORT"])))


async def serve(port):
    site = Site()
    terminals = Terminals(
        folder=os.environ.get("HC_DATA_FOLDER") or os.environ.get("HOME", "/"),
        nodes=[entry.partition("=")[0] for entry in os.environ.get("HC_NODES", "").split()],
    )
    rfb = os.environ.get("HC_AGENT_RFB")
    desktop = Desktop(rfb) if rfb else None

    async def health(request):
        if desktop is not None and not await desktop.is_up():
            return HTTPStatus.SERVICE_UNAVAILABLE, "text/plain", b"the desktop is starting"
        return HTTPStatus.OK, "text/plain", b"ok"

    async def listing(request):
        body = json.dumps({"List": terminals.list()}, ensure_ascii=False)
        return HTTPStatus.OK, "application/json", body.encode()

    async def close(request):
        is_closed = terminals.close(request.query.get("name", ""))
        return (HTTPStatus.NO_CONTENT if is_closed else HTTPStatus.NOT_FOUND), "", b""

    site.pages["GET", "/healthz"] = health
    site.pages["GET", "/terminal/list"] = listing
    site.pages["POST", "/terminal/close"] = close
    site.sockets["/terminal/ws"] = terminals
    if desktop is not None:
        site.pages["POST", "/desktop/message"] = desktop.message
        site.sockets["/desktop/ws"] = desktop

    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: HttpConnection(site), "0.0.0.0", port, backlog=256, reuse_address=True
    )
    await server.serve_forever()
