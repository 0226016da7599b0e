"""Settings of every notebook session; see start-notebook for what differs between them."""

import os

c = get_config()  # noqa: F821  given by Jupyter

server = c.ServerApp
server.ip = "0.0.0.0"
server.port = 8888
# Another port would be a server that the proxy does not find.
server.port_retries = 0
server.open_browser = False
server.quit_button = False
server.log_level = 30

# The platform checks who may come in before it passes a request on, and nobody else reaches the
# session's network. XSRF protection stays: the proxy keeps paths, cookies and Host as they are.
c.IdentityProvider.token = ""
server.password = ""
server.allow_remote_access = True
server.cookie_secret = os.urandom(32)
ancestors = os.environ.get("HC_FRAME_ANCESTORS") or "'self'"
server.tornado_settings = {
    "headers": {"Content-Security-Policy": f"frame-ancestors {ancestors}"},
}

# The file browser shows `data` (the personal files) beside `bundle_resource` and opens in `data`.
server.root_dir = "/home/jovyan"
c.FileContentsManager.preferred_dir = "/home/jovyan/data"
# A trash can would lie outside the personal files and vanish with the session.
c.FileContentsManager.delete_to_trash = False

server.terminado_settings = {"shell_command": ["/bin/bash"]}

# Sessions have no internet, and their packages come with the image.
c.LabApp.extension_manager = "readonly"
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"

# Only JupyterLab and the terminals; the shim is for the classic notebook's extensions.
server.jpserver_extensions = {
    "jupyterlab": True,
    "jupyter_server_terminals": True,
    "notebook_shim": False,
}
