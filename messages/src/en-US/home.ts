import type { home as source } from '../zh-CN/home.ts';
import type { Translation } from '../types.ts';

export const home: Translation<typeof source> = {
  title: 'Home',
  description:
    'A compiler, MPI and notebooks in your browser: learn parallel computing on real machines.',
  heroLine1: 'Learn parallel computing',
  heroLine2: 'on real machines',
  lead: 'Open a browser and there are compilers, MPI and notebooks. Write code, see how much faster it gets on 1, 2, 4 and 8 processes, and see why it gets no faster.',
  browse: 'Browse all labs',
  login: 'Log in to start',
  resume: (title) => `Continue: ${title}`,
  labs: 'Labs',
  tasks: 'Tasks',
  courses: 'Courses',
  problems: 'Problems',
  tags: 'Tags',
  runningUsages: 'Environments running now',
  continueTitle: 'Where you left off',
  continueEmpty:
    'No environment is running. Choose a lab, and in a few seconds you write your first line of code.',
  newest: 'Newest labs',
  all: 'All',
  newestEmpty: 'No lab has been published yet.',
  engineDown: 'Environments cannot be opened right now; the texts can still be read.',
  engineReason: (reason) => `Reason (staff only): ${reason}`,
  imagesBuilding: (ready, total) =>
    `Preparing environment images: ${ready} of ${total} done. The first environment takes a little longer.`,
};
