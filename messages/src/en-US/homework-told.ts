import type { Translation } from '../types.ts';
import type { homeworkTold as source } from '../zh-CN/homework-told.ts';

export const homeworkTold: Translation<typeof source> = {
  set: (course, title) => `New homework in “${course}”: ${title}`,
  setText: (due, zone) => `Due ${due} (${zone}).`,
  due: (course, title) => `“${title}” in “${course}” is due at another time`,
  dueText: (due, zone) => `It is due ${due} (${zone}) now.`,
  graded: (course, title) => `“${title}” in “${course}” is corrected`,
  gradedText: 'Open the homework to see the score and the comment.',
  reset: (course, title) => `“${title}” in “${course}” can be handed in again`,
  resetText: 'The score and the comment were taken back; you may change your work and hand it in.',
  sheet: 'Scores',
  columns: { StudentID: 'Student ID', Name: 'Name', Score: 'Score', Comment: 'Comment' },
  headings: {
    StudentID: 'Student ID,Student number,ID',
    Name: 'Name,Full name',
    Score: 'Score,Points,Grade',
    Comment: 'Comment,Comments,Remark',
  },
  textFile: 'text',
};
