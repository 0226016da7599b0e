#!/usr/bin/env python3
"""Run every code cell of a notebook, in order, in a fresh kernel, and fail if one of them fails.

usage: run_notebook.py NOTEBOOK [--timeout SECONDS] [--figures N]

The notebook runs in its own folder, as in JupyterLab. Text that the cells print goes to standard
output. The exit status is 0 only when every cell ended without an error, every `!command` and
`x = !command` ended with status 0, no cell took longer than the limit, and at least N figures were
drawn. The notebook file itself is not changed. It needs jupyter_client and ipykernel, not nbconvert.
"""

import argparse
import json
import os
import pathlib
import re
import sys
import tempfile
import time

# IPython lets a failing `!command` pass in silence, which is kind to a learner and useless to a check.
STRICT_SHELL = r"""
def _strict_shell():
    shell = get_ipython()
    run, capture = shell.system, shell.getoutput
    from IPython.utils.text import SList

    def system(command):
        run(command)
        status = shell.user_ns.get('_exit_code', 0)
        if status:
            raise RuntimeError(f'`{command}` ended with status {status}')

    def getoutput(command, split=True, depth=0):
        marker = '__status_of_the_command='
        text = capture(f'{{ {command}\n}}; echo; echo {marker}$?', split=False, depth=depth + 1)
        body, _, status = text.rpartition(marker)
        body = body.removesuffix('\r\n').removesuffix('\n')
        if int(status or 1):
            raise RuntimeError(f'`{command}` ended with status {status}:\n{body}')
        return SList(body.splitlines()) if split else body

    shell.system, shell.getoutput = system, getoutput

_strict_shell()
del _strict_shell
"""

ANSI = re.compile(r'\x1b\[[0-9;]*m')


def main():
    options = argparse.ArgumentParser(description='Run a notebook and fail if a cell fails.')
    options.add_argument('notebook', type=pathlib.Path)
    options.add_argument('--timeout', type=float, default=120, help='seconds for one cell')
    options.add_argument('--figures', type=int, default=0, help='figures to be drawn, at least')
    options = options.parse_args()

    # The kernel's own files go to a folder of their own: HOME may be read-only where a check runs.
    private = tempfile.TemporaryDirectory(prefix='run-notebook-')
    for name in ('IPYTHONDIR', 'JUPYTER_RUNTIME_DIR', 'JUPYTER_CONFIG_DIR'):
        os.environ[name] = str(pathlib.Path(private.name) / name.lower())
    os.environ['PYDEVD_DISABLE_FILE_VALIDATION'] = '1'  # a debugger's warning in every kernel's log

    from jupyter_client.manager import start_new_kernel

    notebook = json.loads(options.notebook.read_text(encoding='utf-8'))
    cells = [cell for cell in notebook['cells'] if cell['cell_type'] == 'code']
    figures = 0

    def show(message):
        nonlocal figures
        content = message['content']
        if message['msg_type'] == 'stream':
            sys.stdout.write(content['text'])
        elif message['msg_type'] in ('display_data', 'execute_result'):
            if 'image/png' in content['data']:
                figures += 1
            else:
                print(content['data'].get('text/plain', ''))
        elif message['msg_type'] == 'error':
            print(ANSI.sub('', '\n'.join(content['traceback'])))
        sys.stdout.flush()

    manager, client = start_new_kernel(
        kernel_name='python3', cwd=str(options.notebook.resolve().parent)
    )
    try:
        started = time.monotonic()
        sources = [('setup', STRICT_SHELL)]
        sources += [(cell['id'], ''.join(cell['source'])) for cell in cells]
        for name, source in sources:
            try:
                reply = client.execute_interactive(
                    source, timeout=options.timeout, output_hook=show, allow_stdin=False
                )
            except TimeoutError:
                print(f'{options.notebook}: cell {name} took longer than {options.timeout:g} s')
                return 1
            if reply['content']['status'] != 'ok':
                print(f'{options.notebook}: cell {name} failed')
                return 1
        seconds = time.monotonic() - started
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        private.cleanup()

    print(f'{options.notebook.name}: {len(cells)} cells ran in {seconds:.1f} s, {figures} figures')
    if figures < options.figures:
        print(f'{options.notebook}: {options.figures} figures were expected')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
