/** Texts of courses. */
import { course } from '../course.ts';

export const courses = {
  course,
};
