import type { computer as source } from '../zh-CN/computer.ts';
import type { Translation } from '../types.ts';

export const computer: Translation<typeof source> = {
  lead: 'A computer of your own: what you install and set up is there the next time.',
  back: 'Leave, back to the home page',
  documentRegion: 'Personal computer',
  whatItIs:
    'An environment of your own with a desktop and a command line, one for each person. Its home folder is kept apart: programs installed there and settings you change stay until the next time.',
  keeps: 'What is kept',
  keepsHome:
    'The home folder: programs you installed, settings and files in it, until you delete the computer.',
  keepsData:
    'data: your personal files, the same in every environment; deleting the computer does not touch them.',
  keepsNot: 'Changes outside the home folder and running programs end when it is closed.',
  choose: 'Choose a size',
  make: 'Make my computer',
  noSizes: 'No size is available now. Please contact an administrator.',
  made: 'Your computer has been made',
  size: 'Size',
  home: 'Home folder takes',
  homeUnknown: 'not measured yet',
  created: 'Made',
  lastStarted: 'Last started',
  neverStarted: 'not started yet',
  startHint:
    'Start it when you need it. A pause keeps programs as they are; ending it closes them. The home folder stays in both cases.',
  delete: 'Delete this computer',
  deleteTitle: 'Delete the personal computer?',
  deleteKept: 'Kept: your personal files in data.',
  deleteGone: (size) => `Deleted for good: the home folder with everything in it (${size}).`,
  deleteRunning: 'Its running environment is closed first.',
  deleteType: (name) => `Type its name “${name}” to confirm`,
  deleteMismatch: 'The name is different',
  deleted: 'The computer has been deleted; the files in data are kept',
};
