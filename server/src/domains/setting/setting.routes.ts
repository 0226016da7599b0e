import { type SettingGroup, type SettingGroups, type SettingValues } from '@hypercube/contract';
import { signedIn, type Actor } from '../../platform/access/access.ts';
import { DomainError } from '../../platform/errors.ts';
import type { NotedChange } from '../../platform/http/record.ts';
import type { HandlersOf } from '../../platform/http/register.ts';
import type { MailTransport } from '../../platform/mail/transport.ts';
import { tryMail } from '../mail/mail.service.ts';
import { logoPath, type Logos } from '../site/logos.ts';
import type { GroupState, SettingChange, Settings } from './setting.service.ts';

type Names =
  | 'getSettings'
  | 'updateSiteSettings'
  | 'updateRegistrationSettings'
  | 'updateLimitSettings'
  | 'updateMailSettings'
  | 'updateAroseSettings'
  | 'updateScnetSettings'
  | 'updateCaptchaSettings'
  | 'updateRetentionSettings'
  | 'resetSettings'
  | 'sendTestMail'
  | 'uploadLogo';

export interface SettingHandlersOptions {
  readonly settings: Settings;
  readonly logos: Logos;
  /** The way out of mails, opened for one trial. */
  readonly openWay: () => MailTransport | null;
  readonly findEmail: (userID: number) => Promise<string>;
}

/** What a change came from and to, for the record: that a secret is another one, and never which. */
const noteOf = (
  group: SettingGroup,
  before: object,
  after: object,
  isSecretChanged: boolean,
): NotedChange => ({
  kind: 'setting',
  id: null,
  title: group,
  // Both are masked where they are kept; that they differ is what is told.
  before: { ...before, ...(isSecretChanged ? { Secret: 'before' } : {}) },
  after: { ...after, ...(isSecretChanged ? { Secret: 'after' } : {}) },
});

interface UpdateCall<G extends SettingGroup> {
  readonly actor: Actor;
  readonly body: {
    readonly Version: number;
    readonly Values: SettingChange<G>['values'];
    readonly Secret?: string | null | undefined;
  };
  readonly note: (change: NotedChange) => void;
}

export function settingHandlers({
  settings,
  logos,
  openWay,
  findEmail,
}: SettingHandlersOptions): HandlersOf<Names> {
  const present = <G extends SettingGroup>(group: G, state: GroupState<G>) => ({
    Values: state.values,
    Defaults: settings.defaultsOf(group),
    IsSet: state.isSet,
    IsIgnored: settings.isIgnored(group),
    Secret: state.secretState,
    UpdatedAt: state.updatedAt?.toISOString() ?? null,
    UpdatedBy: state.updatedBy,
    Version: state.version,
  });

  async function presentAll(): Promise<{ Groups: SettingGroups }> {
    const states = await settings.find();
    const { site, registration, limits, mail, arose, scnet, captcha, retention } = states;
    return {
      Groups: {
        site: present('site', site),
        registration: present('registration', registration),
        limits: present('limits', limits),
        mail: present('mail', mail),
        arose: present('arose', arose),
        scnet: present('scnet', scnet),
        captcha: present('captcha', captcha),
        retention: present('retention', retention),
      },
    };
  }

  /** The handler that changes one group. */
  const update =
    <G extends SettingGroup>(group: G) =>
    async ({ actor, body: { Version, Values, Secret }, note }: UpdateCall<G>) => {
      const { before, isSecretChanged } = await settings.change(
        group,
        { version: Version, values: Values, secret: Secret },
        signedIn(actor).userID,
      );
      const state: GroupState<G> = (await settings.find())[group];
      note(noteOf(group, before.values, state.values, isSecretChanged));
      return present(group, state);
    };

  return {
    getSettings: presentAll,
    updateSiteSettings: update('site'),
    updateRegistrationSettings: update('registration'),
    updateLimitSettings: update('limits'),
    updateMailSettings: update('mail'),
    updateAroseSettings: update('arose'),
    updateScnetSettings: update('scnet'),
    updateCaptchaSettings: update('captcha'),
    updateRetentionSettings: update('retention'),

    resetSettings: async ({ actor, params: { group }, query, note }) => {
      const { userID } = signedIn(actor);
      const { before, isSecretChanged } = await settings.reset(group, query.version, userID);
      const after: SettingValues[SettingGroup] = settings.defaultsOf(group);
      note(noteOf(group, before.values, after, isSecretChanged));
      return presentAll();
    },

    sendTestMail: async ({ actor, query }) => {
      const way = openWay();
      if (way === null) throw new DomainError('mail_off');
      const { NameZh, NameEn } = settings.current('site');
      const to = await findEmail(signedIn(actor).userID);
      const { isSent, answer } = await tryMail(way, {
        to,
        language: query.lang,
        names: { 'zh-CN': NameZh, 'en-US': NameEn },
        password: settings.secretOf('mail'),
      });
      return { To: to, IsSent: isSent, Answer: answer };
    },

    uploadLogo: async ({ file }) => {
      const name = await logos.receive(await file());
      return { Name: name, Path: logoPath(name) };
    },
  };
}
