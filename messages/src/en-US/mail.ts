import type { mail as source } from '../zh-CN/mail.ts';
import type { MailText, MailTexts, MailValues, Translation } from '../types.ts';

export const mails: MailTexts = {
  digest: ({ site = '', name = '', count = '', list = '', url = '' }) => ({
    subject: `${site}: ${count} unread`,
    lines: [`Hello ${name},`, `Unread notifications (${count}):`, ...list.split('\n')],
    action: { label: 'See notifications', url },
  }),
  registrationCode: ({ site = '', code = '', minutes = '' }) => ({
    subject: `Your ${site} registration code`,
    lines: [
      'Hello,',
      `you are registering at ${site}. Please enter this code within ${minutes} minutes:`,
    ],
    code,
  }),
  registrationKnown: ({ site = '', username = '', url = '' }) => ({
    subject: `You already have a ${site} account`,
    lines: [
      'Hello,',
      `somebody is registering at ${site} with this address, which already belongs to the account ${username}. If that was you, simply log in; if you forgot the password, you can set a new one.`,
    ],
    action: { label: 'Set a new password', url },
  }),
  passwordReset: ({ site = '', name = '', url = '', minutes = '' }) => ({
    subject: `Set a new ${site} password`,
    lines: [
      `Hello ${name},`,
      `somebody asked for a new password for your account. If that was you, open this link within ${minutes} minutes; it works once.`,
    ],
    action: { label: 'Set a new password', url },
  }),
  emailChangeCode: ({ site = '', name = '', code = '', minutes = '' }) => ({
    subject: `Your ${site} e-mail code: ${code}`,
    lines: [
      `Hello ${name},`,
      `you are changing the e-mail address of your ${site} account to this one. Please enter this code within ${minutes} minutes:`,
    ],
    code,
  }),
  emailChanged: ({ site = '', name = '', email = '' }) => ({
    subject: `Your ${site} e-mail address was changed`,
    lines: [
      `Hello ${name},`,
      `the e-mail address of your ${site} account is now ${email}; further mails go there. If that was not you, please tell an administrator at once.`,
    ],
  }),
  applicationApproved: ({ name = '', reason = '', url = '' }) => ({
    subject: 'Your teacher application was approved',
    lines: [
      `Hello ${name},`,
      'your teacher application was approved. You may now make labs and courses in the admin area.',
      ...(reason === '' ? [] : [`The reviewer says: ${reason}`]),
    ],
    action: { label: 'Open the admin area', url },
  }),
  applicationRejected: ({ name = '', reason = '', url = '' }) => ({
    subject: 'Your teacher application was not approved',
    lines: [`Hello ${name},`, `your teacher application was not approved. Reason: ${reason}`],
    action: { label: 'See my account', url },
  }),
  invitation: ({ site = '', name = '', username = '', days = '', url = '' }) => ({
    subject: `Your ${site} account`,
    lines: [
      `Hello ${name},`,
      `your teacher made a ${site} account for you. Your username is ${username}. Open the link below within ${days} days to set a password; it works once. After that, use “Forgot password” on the login page.`,
    ],
    action: { label: 'Set a password', url },
  }),
  passwordChanged: ({ site = '', name = '', isByLink = '' }) => ({
    subject: `Your ${site} password was changed`,
    lines: [
      `Hello ${name},`,
      isByLink === ''
        ? 'your password was just changed on the site, and you are logged out on every other device. If that was not you, set a new password at once and tell an administrator.'
        : 'your password was just set anew by a link in a mail, and you are logged out on every device. If that was not you, set a new password at once and tell an administrator.',
    ],
  }),
};

/** A mail that an admin sends to themselves, to see whether the mail server takes it. */
export const trial = ({ site = '' }: MailValues): MailText => ({
  subject: `${site} test mail`,
  lines: ['Hello,', 'you have received this mail, so the mail server is set up.'],
});

export const mail: Translation<typeof source> = {
  title: 'Mail',
  lead: 'Mails that the platform has sent, will send, or could not send. Without a mail server they stay here and go nowhere.',
  search: 'Find by recipient or subject',
  empty: 'Mails of the platform appear here.',
  to: 'To',
  subject: 'Subject',
  template: 'Kind',
  templates: {
    digest: 'Unread notifications',
    registrationCode: 'Registration code',
    registrationKnown: 'Address has an account',
    passwordReset: 'Password reset',
    emailChangeCode: 'E-mail code',
    emailChanged: 'E-mail changed',
    passwordChanged: 'Password changed',
    applicationApproved: 'Application approved',
    applicationRejected: 'Application rejected',
    invitation: 'Invitation',
  },
  state: 'State',
  states: { waiting: 'Waiting', sent: 'Sent', failed: 'Not sent', captured: 'Kept here' },
  attempts: 'Tries',
  created: 'Written',
  sent: 'Sent',
  nextTry: 'Next try',
  noNextTry: 'No further try',
  error: 'Reason',
  open: 'Show',
  openNamed: (subject) => `Show “${subject}”`,
  retry: 'Send again',
  retried: 'It is tried again now',
  preview: 'Content of the mail',
  showText: 'Plain text',
  showHTML: 'Formatted',
  view: 'Show as',
};
