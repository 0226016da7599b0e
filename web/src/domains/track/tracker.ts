/**
 * Tells the server which page is looked at: on arrival, every minute while it is seen, and when it
 * is left (specification, section 7). A browser that asks not to be tracked is not.
 */
import { TIMES, TRACK_MODULES, routes, type TrackModule } from '@hypercube/contract';
import { useEffect } from 'react';
import { addressOf } from '../../kernel/api.ts';

/** Pages that are tracked: their module, their number within it, and the ids of their address. */
export const TRACKED = {
  labIndex: { module: 'lab', number: 0, fields: [] },
  labDetail: { module: 'lab', number: 1, fields: ['labID'] },
  notebookLabTaskDetail: { module: 'lab', number: 2, fields: ['labID', 'taskID'] },
  desktopLabTaskDetail: { module: 'lab', number: 3, fields: ['labID', 'taskID'] },
  courseIndex: { module: 'course', number: 0, fields: [] },
  courseDetail: { module: 'course', number: 1, fields: ['courseID'] },
  homeworkDetail: { module: 'course', number: 2, fields: ['courseID', 'homeworkID'] },
  softwareIndex: { module: 'software', number: 0, fields: [] },
  softwareDetailDesktop: { module: 'software', number: 1, fields: ['softwareID'] },
  softwareDetailNotebook: { module: 'software', number: 2, fields: ['softwareID'] },
  softwareDetailWebIDE: { module: 'software', number: 3, fields: ['softwareID'] },
  problemIndex: { module: 'programming', number: 0, fields: [] },
  programmingProblemList: { module: 'programming', number: 1, fields: [] },
  programmingProblemDetail: {
    module: 'programming',
    number: 2,
    fields: ['programmingProblemID'],
  },
  programmingProblemSubmission: {
    module: 'programming',
    number: 3,
    fields: ['programmingProblemID'],
  },
} as const satisfies Readonly<
  Record<string, { module: TrackModule; number: number; fields: readonly string[] }>
>;

type Params = Readonly<Record<string, string | undefined>>;

/** Random, and gone with the tab; it says only which views belong together. */
const SESSION = crypto.getRandomValues(new Uint32Array(4)).join('-');

/** The fields of a record as a browser's form has them; null for a page that is not tracked. */
export function recordOf(
  page: string | undefined,
  params: Params,
  url: string,
  from: string,
): URLSearchParams | null {
  if (page === undefined || !Object.hasOwn(TRACKED, page)) return null;
  const { module, number, fields } = TRACKED[page as keyof typeof TRACKED];
  const record = new URLSearchParams({
    Type: String((TRACK_MODULES.indexOf(module) + 1) * 100 + number),
    SessionId: SESSION,
    // Without the search: it may hold what somebody typed.
    URL: url.slice(0, 300),
    FromURL: from.slice(0, 300),
  });
  for (const field of fields) record.append('Field', params[field] ?? '0');
  return record;
}

interface AskingNavigator {
  readonly globalPrivacyControl?: boolean;
  readonly doNotTrack?: string | null;
}

/** Whether the browser says that its user does not want to be tracked (Global Privacy Control, DNT). */
export const isRefused = ({ globalPrivacyControl, doNotTrack }: AskingNavigator): boolean =>
  globalPrivacyControl === true || doNotTrack === '1';

/** The page before this one, within the site. */
let previous = '';

/** A beacon outlives the page and never delays it. */
const send = (record: URLSearchParams): boolean =>
  navigator.sendBeacon(addressOf(routes.recordTrack), record);

/** Mounted once, in the shell. */
export function useTracking(page: string | undefined, pathname: string, params: Params): void {
  // The ids are in the path: when it stays, they do.
  const text = recordOf(page, params, pathname, previous)?.toString();
  useEffect(() => {
    if (text === undefined || isRefused(navigator)) return;
    const record = new URLSearchParams(text);
    const tell = (): void => {
      if (document.visibilityState === 'visible') send(record);
    };
    tell();
    const timer = setInterval(tell, TIMES.trackingRepeatMs);
    addEventListener('pagehide', tell);
    return () => {
      clearInterval(timer);
      removeEventListener('pagehide', tell);
      // Left for another page of the site, which no event tells of.
      tell();
    };
    // What came before does not begin a page anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [page, pathname]);
  useEffect(() => {
    previous = pathname;
  }, [pathname]);
}
