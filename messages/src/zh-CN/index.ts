/** All texts. A new file belongs to one of the parts; see `TEXT_PARTS`. */
import { first } from './first.ts';
import { pages } from './pages.ts';
import { staff } from './staff.ts';
import { told } from './told.ts';

export const catalogue = { ...first, ...pages, ...staff, ...told };
