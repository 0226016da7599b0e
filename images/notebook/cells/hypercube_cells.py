"""C, C++ and Fortran in a notebook's cells: `%%c`, `%%cpp` and `%%fortran`.

A cell is a whole program. It is compiled in a folder of its own and run in the notebook's folder;
what it prints appears while it runs. Every kernel loads this, so whatever is slow to import is
imported by the first cell that needs it.
"""

import os
import time

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

DEFAULT_FLAGS = "-O2 -Wall -fopenmp"
# Name of the source, compiler, and compiler of an MPI program.
LANGUAGES = {
    "c": ("cell.c", "gcc", "mpicc"),
    "cpp": ("cell.cpp", "g++", "mpicxx"),
    "fortran": ("cell.f90", "gfortran", "mpifort"),
}
TEXTS = {
    "zh-CN": {
        "times": "编译 {compiled:.2f} 秒，运行 {ran:.2f} 秒",
        "compiler": "没有编译成功，行号就是单元格的行号。",
        "code": "程序以状态 {code} 结束。",
        "signal": "程序被信号 {code}（{name}）终止。",
        "line": "选项不对：{problem}",
    },
    "en-US": {
        "times": "compiled in {compiled:.2f} s, ran {ran:.2f} s",
        "compiler": "It did not compile; line numbers are those of the cell.",
        "code": "The program ended with status {code}.",
        "signal": "The program was ended by signal {code} ({name}).",
        "line": "These options do not fit: {problem}",
    },
}
# A program that does not end at an interrupt is ended by force.
GRACE = 2


def text(key, **values):
    locale = "en-US" if os.environ.get("HC_LOCALE") == "en-US" else "zh-CN"
    return TEXTS[locale][key].format(**values)


def options(function):
    """The options that all three share."""
    for one in (
        argument("--stdin", default=None, help="what the program reads"),
        argument("--threads", type=int, default=None, help="number of OpenMP threads"),
        argument("--mpi", type=int, default=None, help="number of MPI ranks"),
        argument("--flags", default=DEFAULT_FLAGS, help=f"for the compiler, {DEFAULT_FLAGS}"),
    ):
        function = one(function)
    return magic_arguments()(function)


@magics_class
class CompiledCells(Magics):
    """The three cell magics."""

    @cell_magic
    @options
    def c(self, line, cell):
        """Compile the cell as a C program and run it."""
        run_cell("c", parse_argstring(self.c, line), cell)

    @cell_magic
    @options
    def cpp(self, line, cell):
        """Compile the cell as a C++ program and run it."""
        run_cell("cpp", parse_argstring(self.cpp, line), cell)

    @cell_magic
    @options
    def fortran(self, line, cell):
        """Compile the cell as a Fortran program and run it."""
        run_cell("fortran", parse_argstring(self.fortran, line), cell)


def load_ipython_extension(shell):
    shell.register_magics(CompiledCells)


def run_cell(language, chosen, cell):
    """Compiles and runs one cell; fails as a cell of Python would, so that `run all` stops."""
    import shlex
    import tempfile

    source, compiler, mpi_compiler = LANGUAGES[language]
    # IPython hands a quoted option over with its quotes.
    unquoted = {name: unquote(value) for name, value in vars(chosen).items()}
    try:
        flags = shlex.split(unquoted["flags"])
    except ValueError as error:
        raise UsageError(text("line", problem=error)) from None
    for name in ("mpi", "threads"):
        if unquoted[name] is not None and unquoted[name] < 1:
            raise UsageError(text("line", problem=f"--{name} {unquoted[name]}"))

    environment = dict(os.environ, GFORTRAN_UNBUFFERED_ALL="1")
    if unquoted["threads"] is not None:
        environment["OMP_NUM_THREADS"] = str(unquoted["threads"])
    with tempfile.TemporaryDirectory(prefix=".cell-", dir=shared_folder()) as folder:
        program = os.path.join(folder, "cell")
        with open(os.path.join(folder, source), "w", encoding="utf-8") as file:
            # The magic's own line, so that the compiler counts as the cell does.
            file.write("\n" + cell)
        if unquoted["mpi"] is None:
            command = [program]
        else:
            compiler = mpi_compiler
            command = ["mpirun", "-n", str(unquoted["mpi"]), program]
        started = time.perf_counter()
        code = run([compiler, *flags, source, "-o", "cell", "-lm"], folder, environment, None)
        compiled = time.perf_counter() - started
        if code != 0:
            raise UsageError(text("compiler"))
        started = time.perf_counter()
        code = run(command, None, environment, unquoted["stdin"])
        ran = time.perf_counter() - started
    print(f"[{text('times', compiled=compiled, ran=ran)}]")
    if code < 0:
        import signal

        raise UsageError(text("signal", code=-code, name=signal.strsignal(-code)))
    if code > 0:
        raise UsageError(text("code", code=code))


def unquote(value):
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return value


def shared_folder():
    """Where every node of the session finds the program; without other nodes, anywhere."""
    if len(os.environ.get("HC_NODES", "").split()) < 2:
        return None
    return os.environ.get("HC_DATA_FOLDER") or os.path.expanduser("~/data")


def run(command, folder, environment, stdin):
    """Runs a command and passes on what it prints, as it prints it. Answers its exit code."""
    import codecs
    import selectors
    import subprocess
    import sys
    import tty

    # On a terminal a program prints line by line; into a pipe it would keep everything to its end.
    master, slave = os.openpty()
    tty.setraw(slave)
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=slave,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    os.close(slave)
    selector = selectors.DefaultSelector()
    decoder = codecs.getincrementaldecoder("utf-8")
    selector.register(master, selectors.EVENT_READ, (sys.stdout, decoder("replace")))
    selector.register(process.stderr.fileno(), selectors.EVENT_READ, (sys.stderr, decoder("replace")))
    unwritten = b"" if stdin is None else stdin.encode().replace(b"\\n", b"\n")
    if stdin is not None:
        os.set_blocking(process.stdin.fileno(), False)
        selector.register(process.stdin.fileno(), selectors.EVENT_WRITE, None)
    try:
        while len(selector.get_map()) > 0:
            for key, _ in selector.select():
                if key.data is None:
                    try:
                        unwritten = unwritten[os.write(key.fd, unwritten) :]
                    except BrokenPipeError:
                        unwritten = b""
                    if not unwritten:
                        selector.unregister(key.fd)
                        process.stdin.close()
                    continue
                stream, incremental = key.data
                try:
                    data = os.read(key.fd, 65536)
                except OSError:
                    # A terminal whose other end is closed says so by an error.
                    data = b""
                stream.write(incremental.decode(data, final=not data))
                stream.flush()
                if not data:
                    selector.unregister(key.fd)
        return process.wait()
    except KeyboardInterrupt:
        end(process)
        raise
    finally:
        selector.close()
        os.close(master)
        process.stderr.close()
        if process.poll() is None:
            end(process)


def end(process):
    """Ends a program and all that it started: first as Ctrl+C does, then by force."""
    import signal
    import subprocess

    for number in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            continue
