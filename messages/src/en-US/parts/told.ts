/** Texts that the server alone tells, in notifications and sheets. */
import { courseTold } from '../course-told.ts';
import { homeworkTold } from '../homework-told.ts';

export const told = {
  courseTold,
  homeworkTold,
};
