/** Texts of courses. */
import { course } from '../course.ts';
import { homework } from '../homework.ts';

export const courses = {
  course,
  homework,
};
