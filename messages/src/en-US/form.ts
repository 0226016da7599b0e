import type { form as source } from '../zh-CN/form.ts';
import type { Translation } from '../types.ts';

/** Forms: counters, errors, unsaved changes. */
export const form: Translation<typeof source> = {
  counter: (count, max) => `${count} / ${max}`,
  required: (field) => `${field} is missing`,
  tooLong: (field, max) => `${field} has at most ${max} characters`,
  outOfRange: (field, min, max) => `${field} lies between ${min} and ${max}`,
  invalid: (field) => `${field} has the wrong form`,
  errors: (count) => (count === 1 ? '1 field needs a change' : `${count} fields need a change`),
  notSaved: 'Not saved',
  unsaved: 'Unsaved changes',
  save: 'Save',
  saved: 'Saved',
  create: 'Create',
  delete: 'Delete',
  edit: 'Edit',
  discard: 'Discard changes',
  reload: 'Load again',
  leaveTitle: 'Leave this page?',
  leaveText: 'Changes are not saved. A draft stays in this tab.',
  leaveForgottenText: 'Changes are not saved, and nothing of them is kept.',
  leave: 'Leave',
  none: 'None',
  choose: 'Choose one',
  inChinese: (label) => `${label} (Chinese)`,
  inEnglish: (label) => `${label} (English)`,
  englishHint: 'Empty: the Chinese text is shown in English too',
  moveUp: (name) => `Move ${name} up`,
  moveDown: (name) => `Move ${name} down`,
  movedTo: (name, position, count) => `${name}: place ${position} of ${count}`,
};
