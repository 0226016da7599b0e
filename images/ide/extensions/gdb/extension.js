/**
 * Building, running and debugging for C, C++ and Fortran. GDB speaks the editor's debug protocol by
 * itself, so this only starts it, and builds the file in front when nobody wrote a launch.json.
 */
const { readFileSync } = require('node:fs');
const { basename, dirname, extname, join } = require('node:path');
const vscode = require('vscode');

const compilers = new Map([
  ['.c', ['gcc', 'mpicc']],
  ['.cc', ['g++', 'mpicxx']],
  ['.cpp', ['g++', 'mpicxx']],
  ['.cxx', ['g++', 'mpicxx']],
  ['.f', ['gfortran', 'mpifort']],
  ['.f90', ['gfortran', 'mpifort']],
]);
/** One for every source that asks for MPI: the headers of C, and the modules of Fortran. */
const mpi = /^\s*#\s*include\s*[<"]mpi\.h[>"]|^\s*use\s+mpi|^\s*include\s+'mpif\.h'/im;

const texts = readTexts(vscode.env.language);

function readTexts(language) {
  const name = language.toLowerCase() === 'zh-cn' ? 'package.nls.zh-cn.json' : 'package.nls.json';
  return JSON.parse(readFileSync(join(__dirname, name), 'utf8'));
}

/** The source file in front, or null where what is in front is none. */
function sourceInFront() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.scheme !== 'file') return null;
  const pair = compilers.get(extname(document.fileName).toLowerCase());
  if (!pair) return null;
  const program = document.fileName.slice(0, -extname(document.fileName).length);
  return {
    file: document.fileName,
    folder: dirname(document.fileName),
    program,
    compiler: pair[mpi.test(document.getText()) ? 1 : 0],
  };
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Without optimisation, so that every line and variable is there to be looked at. */
function buildCommand({ file, program, compiler }) {
  return `${compiler} -g -O0 -Wall -fopenmp ${quoted(basename(file))} -o ${quoted(basename(program))} -lm`;
}

function task(action, name, command, source) {
  const made = new vscode.Task(
    { type: 'hypercube', action },
    vscode.TaskScope.Workspace,
    name,
    'hypercube',
    new vscode.ShellExecution(command, { cwd: source.folder }),
    ['$hypercube-gcc'],
  );
  if (action === 'build') made.group = vscode.TaskGroup.Build;
  return made;
}

function tasksFor(source) {
  const build = buildCommand(source);
  const program = quoted(`./${basename(source.program)}`);
  return [
    task('build', texts.build, build, source),
    task('run', texts.run, `${build} && ${program}`, source),
    task('run-mpi', texts.runMpi, `${build} && mpirun -n 4 ${program}`, source),
  ];
}

/** Runs a build to its end; answers whether it succeeded. */
async function build(source) {
  await vscode.workspace.saveAll(false);
  const [first] = tasksFor(source);
  let execution = null;
  let ended = null;
  const finished = new Promise((resolve) => {
    const listener = vscode.tasks.onDidEndTaskProcess((event) => {
      // A quick build may end before the call that started it has answered.
      if (execution !== null && event.execution !== execution) return;
      if (event.execution.task.definition.action !== 'build') return;
      listener.dispose();
      resolve(event.exitCode === 0);
    });
    ended = listener;
  });
  try {
    execution = await vscode.tasks.executeTask(first);
    return await finished;
  } finally {
    ended.dispose();
  }
}

const configurations = {
  async resolveDebugConfiguration(folder, configuration) {
    if (configuration.type || configuration.request) return configuration;
    const source = sourceInFront();
    if (source === null) {
      void vscode.window.showInformationMessage(texts.noFile);
      return undefined;
    }
    if (!(await build(source))) {
      void vscode.window.showErrorMessage(texts.failed);
      return undefined;
    }
    return {
      type: 'gdb',
      request: 'launch',
      name: basename(source.program),
      program: source.program,
      cwd: source.folder,
    };
  },
};

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider('gdb', configurations),
    vscode.debug.registerDebugAdapterDescriptorFactory('gdb', {
      createDebugAdapterDescriptor: () =>
        new vscode.DebugAdapterExecutable('gdb', ['--quiet', '--interpreter=dap']),
    }),
    vscode.tasks.registerTaskProvider('hypercube', {
      provideTasks() {
        const source = sourceInFront();
        return source === null ? [] : tasksFor(source);
      },
      resolveTask(asked) {
        const source = sourceInFront();
        if (source === null) return undefined;
        return tasksFor(source).find((one) => one.definition.action === asked.definition.action);
      },
    }),
  );
};
