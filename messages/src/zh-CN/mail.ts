/** Mails: what they say, and the page on which an admin sees them. */
import type { MailTemplate } from '@hypercube/contract';
import type { MailText, MailTexts, MailValues } from '../types.ts';

export const mails: MailTexts = {
  digest: ({ site = '', name = '', count = '', list = '', url = '' }) => ({
    subject: `${site}：${count} 条未读通知`,
    lines: [`${name}，您好，`, `您有 ${count} 条未读通知：`, ...list.split('\n')],
    action: { label: '查看通知', url },
  }),
  registrationCode: ({ site = '', code = '', minutes = '' }) => ({
    subject: `${site}注册验证码`,
    lines: ['您好，', `您正在注册${site}账号。请在 ${minutes} 分钟内填写这个验证码：`],
    code,
  }),
  registrationKnown: ({ site = '', username = '', url = '' }) => ({
    subject: `您已经有${site}账号`,
    lines: [
      '您好，',
      `有人用这个邮箱注册${site}账号，但它已经属于用户名为 ${username} 的账号。如果是您本人，请直接登录；忘记了密码可以重设。`,
    ],
    action: { label: '重设密码', url },
  }),
  passwordReset: ({ site = '', name = '', url = '', minutes = '' }) => ({
    subject: `重设${site}密码`,
    lines: [
      `${name}，您好，`,
      `有人申请重设您的密码。如果是您本人，请在 ${minutes} 分钟内打开下面的链接；它只能用一次。`,
    ],
    action: { label: '设置新密码', url },
  }),
  emailChangeCode: ({ site = '', name = '', code = '', minutes = '' }) => ({
    subject: `${site}邮箱验证码：${code}`,
    lines: [
      `${name}，您好，`,
      `您正在把${site}账号的邮箱改为这个地址。请在 ${minutes} 分钟内填写这个验证码：`,
    ],
    code,
  }),
  emailChanged: ({ site = '', name = '', email = '' }) => ({
    subject: `您的${site}邮箱已修改`,
    lines: [
      `${name}，您好，`,
      `您的${site}账号的邮箱刚刚改为 ${email}，以后的邮件会发到那里。如果不是您本人操作，请马上联系管理员。`,
    ],
  }),
  applicationApproved: ({ name = '', reason = '', url = '' }) => ({
    subject: '您的教师申请已通过',
    lines: [
      `${name}，您好，`,
      '您的教师申请已通过，现在可以在管理区建实验和课程。',
      ...(reason === '' ? [] : [`审核意见：${reason}`]),
    ],
    action: { label: '进入管理区', url },
  }),
  applicationRejected: ({ name = '', reason = '', url = '' }) => ({
    subject: '您的教师申请没有通过',
    lines: [`${name}，您好，`, `您的教师申请没有通过。理由：${reason}`],
    action: { label: '查看我的账号', url },
  }),
  invitation: ({ site = '', name = '', username = '', days = '', url = '' }) => ({
    subject: `您的${site}账号`,
    lines: [
      `${name}，您好，`,
      `您的老师为您建立了${site}账号，用户名是 ${username}。请在 ${days} 天内打开下面的链接设置密码；它只能用一次。过期后，可以在登录页用“忘记密码”重新设置。`,
    ],
    action: { label: '设置密码', url },
  }),
  passwordChanged: ({ site = '', name = '', isByLink = '' }) => ({
    subject: `您的${site}密码已修改`,
    lines: [
      `${name}，您好，`,
      isByLink === ''
        ? '您的密码刚刚在网站上修改，其他设备上的登录都已失效。如果不是您本人操作，请马上重设密码并联系管理员。'
        : '您的密码刚刚通过邮件链接重设，所有设备上的登录都已失效。如果不是您本人操作，请马上重设密码并联系管理员。',
    ],
  }),
};

/** A mail that an admin sends to themselves, to see whether the mail server takes it. */
export const trial = ({ site = '' }: MailValues): MailText => ({
  subject: `${site}测试邮件`,
  lines: ['您好，', '您收到了这封邮件，说明邮件服务器已经设置好。'],
});

export const mail = {
  title: '邮件',
  lead: '平台发出的、等待发送的和没有发出的邮件。没有设置邮件服务器时，邮件留在这里，不会发到外面。',
  search: '按收件人或主题查找',
  empty: '平台发出的邮件会出现在这里。',
  to: '收件人',
  subject: '主题',
  template: '种类',
  templates: {
    digest: '未读通知',
    registrationCode: '注册验证码',
    registrationKnown: '邮箱已注册',
    passwordReset: '重设密码',
    emailChangeCode: '邮箱验证码',
    emailChanged: '邮箱已修改',
    passwordChanged: '密码已修改',
    applicationApproved: '教师申请通过',
    applicationRejected: '教师申请未通过',
    invitation: '账号邀请',
  } satisfies Readonly<Record<MailTemplate, string>>,
  state: '状态',
  states: { waiting: '等待发送', sent: '已发送', failed: '没有发出', captured: '留在本机' },
  attempts: '尝试次数',
  created: '写入时间',
  sent: '发送时间',
  nextTry: '下次尝试',
  noNextTry: '不再尝试',
  error: '原因',
  open: '查看',
  openNamed: (subject: string) => `查看“${subject}”`,
  retry: '重新发送',
  retried: '马上会再发一次',
  preview: '邮件内容',
  showText: '纯文本',
  showHTML: '网页',
  view: '显示方式',
} as const;
