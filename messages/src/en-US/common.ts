import type { common as source } from '../zh-CN/common.ts';
import type { Translation } from '../types.ts';

export const common: Translation<typeof source> = {
  brand: 'Hypercube',
  brandLatin: '超立方',
  close: 'Close',
  cancel: 'Cancel',
  retry: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  loading: 'Loading',
  unknown: '—',
  dismiss: 'Dismiss this message',
  listSeparator: ', ',
  clauseSeparator: '; ',
  dotSeparator: ' · ',
  minutes: (count) => `${count} min`,
  cpus: (count) => (count === 1 ? '1 core' : `${count} cores`),
  range: (from, to, total) => `${from}–${to} of ${total}`,
  previousPage: 'Previous page',
  nextPage: 'Next page',
  pagination: 'Pages',
  pageOf: (page, pages) => `Page ${page} of ${pages}`,
  errorTitle: 'This did not load',
  offline: 'The server cannot be reached. Check your network; what you had saved is not affected.',
  timedOut:
    'The server took too long to answer, so this may not have been done. Refresh to see where it stands.',
  toasts: 'Messages',
  toastInfo: 'Note:',
  toastSuccess: 'Done:',
  toastWarning: 'Attention:',
  toastError: 'Error:',
  newVersionTitle: 'The page did not load completely',
  newVersionText:
    'The site may have just been updated, or the network broke off. Reloading usually helps; a running environment is not affected.',
  reload: 'Reload',
  requestID: (id) => `Request ID: ${id}`,
};
