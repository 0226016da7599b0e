"""What every notebook's kernel brings along."""

c = get_config()  # noqa: F821  given by IPython

c.InteractiveShellApp.extensions = ["hypercube_cells"]
