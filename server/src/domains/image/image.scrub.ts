/**
 * What of a session never becomes part of an image, whoever made it: keys and passwords, what was
 * typed, what programs keep for themselves, and the folders that are mounted over. The files of
 * these names that the image came with stay as they were. See `CommitOptions.scrub`.
 */
import { BUNDLE_FOLDER, SESSION_FOLDERS } from '@hypercube/contract';

const atHome = [
  // Keys and passwords
  '.ssh',
  '.gnupg',
  '.netrc',
  '.git-credentials',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.aws',
  '.kube',
  '.docker',
  '.config/gh',
  '.config/git/credentials',
  '.local/share/keyrings',
  '.mpi-hosts',
  '.vnc',
  '.Xauthority',
  '.ICEauthority',
  '.dbus',
  // What was typed and opened
  '.*_history',
  '.*history',
  '.lesshst',
  '.viminfo',
  '.wget-hsts',
  '.ipython/profile_*/history.sqlite*',
  '.ipython/profile_*/security',
  '.local/share/recently-used.xbel*',
  '.local/share/jupyter/runtime',
  '.local/share/jupyter/nbsignatures.db*',
  '.local/share/jupyter/notebook_secret',
  '.jupyter/lab/workspaces',
  '.ipynb_checkpoints',
  '.local/share/code-server/coder-logs',
  '.local/share/code-server/heartbeat',
  '.local/share/code-server/User/History',
  '.local/share/code-server/User/workspaceStorage',
  '.local/share/code-server/User/globalStorage/state.vscdb*',
  // What programs keep for themselves
  '.cache',
  '.npm/_logs',
  '.npm/_cacache',
  '.local/share/Trash',
  '.local/state',
  '.xsession-errors*',
  '.hypercube',
] as const;

const elsewhere = ['tmp/*', 'var/tmp/*', 'var/cache/*', 'var/log/*', 'run/*', 'dev', 'proc', 'sys'];

/** Mounts leave an empty folder; on a computer with a home of its own they leave more. */
const mounted = Object.values(SESSION_FOLDERS).flatMap((folder) => {
  const data = folder.slice(1);
  const beside = `${data.slice(0, data.lastIndexOf('/'))}/${BUNDLE_FOLDER}`;
  return [`${data}/*`, `${beside}/*`];
});

export const SCRUBBED: readonly string[] = [
  ...['home/*', 'root'].flatMap((home) => atHome.map((path) => `${home}/${path}`)),
  ...elsewhere,
  ...mounted,
];
