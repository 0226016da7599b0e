/** All texts. A new file belongs to one of the parts; see `TEXT_PARTS`. */
import { courses } from './parts/courses.ts';
import { first } from './parts/first.ts';
import { machines } from './parts/machines.ts';
import { pages } from './parts/pages.ts';
import { people } from './parts/people.ts';
import { staff } from './parts/staff.ts';
import { told } from './parts/told.ts';

export const catalogue = {
  ...first,
  ...pages,
  ...people,
  ...courses,
  ...machines,
  ...staff,
  ...told,
};
