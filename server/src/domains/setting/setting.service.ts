/**
 * Values that the installation keeps for itself, and the settings that admins change in the
 * browser: groups over what the configuration says, each with a version and at most one secret.
 */
import {
  LANGUAGES,
  SETTING_GROUPS,
  settingRules,
  siteSettings,
  type Language,
  type SecretState,
  type SettingGroup,
  type SettingValues,
} from '@hypercube/contract';
import { mailBrands } from '@hypercube/messages/mails';
import type { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { notify, type Listener } from '../../platform/database/notify.ts';
import { DomainError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { SettingDefaults } from './setting.defaults.ts';
import {
  findGroupRows,
  findSetting,
  keyOf,
  writeGroupRow,
  type GroupRow,
} from './setting.queries.ts';

export { findSetting, writeSetting } from './setting.queries.ts';

/** Refuses values that no rule of the contract can: pictures that are not there, keys that fail. */
export type SettingChecks = {
  readonly [G in SettingGroup]?: (values: SettingValues[G], secret: string | null) => Promise<void>;
};

export interface SettingsOptions {
  readonly database: Database;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly box: SecretBox;
  /** What holds where nothing was set, from the configuration. */
  readonly defaults: SettingDefaults;
  /** Groups of which only the configuration holds. */
  readonly ignored: readonly SettingGroup[];
  readonly checks: SettingChecks;
}

/** A group as it holds. */
export interface GroupState<G extends SettingGroup> {
  readonly values: SettingValues[G];
  readonly secret: string | null;
  readonly secretState: SecretState;
  /** false: what holds is the configuration's. */
  readonly isSet: boolean;
  /** 0 while nothing was ever set. */
  readonly version: number;
  readonly updatedAt: Date | null;
  /** Nickname. */
  readonly updatedBy: string | null;
}
type States = { readonly [G in SettingGroup]: GroupState<G> };

/** What is to be; of the limits only those that change. `secret` left out: it stays. */
export interface SettingChange<G extends SettingGroup> {
  readonly version: number;
  readonly values: { readonly [K in keyof SettingValues[G]]?: SettingValues[G][K] | undefined };
  readonly secret?: string | null | undefined;
}

/** To whom a secret belongs: it is not kept when one of these changes, or it would go elsewhere. */
const OWNERS: { readonly [G in SettingGroup]?: readonly (keyof SettingValues[G])[] } = {
  mail: ['Host', 'User'],
  arose: ['Issuer', 'ClientID'],
  scnet: ['Issuer', 'ClientID'],
  captcha: ['AccessKeyID'],
};

/** The settings that hold now, in every process: a change is heard and read again. */
export class Settings {
  readonly #options: SettingsOptions;
  #states: States;
  /** What the states were made of: one that did not change stays the same object. */
  #sources = new Map<SettingGroup, string>();
  /** Readings may overlap; an older one must not win. */
  #readings = 0;
  #latest: Promise<void> = Promise.resolve();

  private constructor(options: SettingsOptions) {
    this.#options = options;
    this.#states = Object.fromEntries(
      SETTING_GROUPS.map((group) => [group, this.#stateOf(group, undefined)]),
    ) as unknown as States;
  }

  static async open(options: SettingsOptions): Promise<Settings> {
    const settings = new Settings(options);
    options.listener.on('setting', settings.#reload);
    options.listener.on('resumed', settings.#reload);
    await settings.#read();
    return settings;
  }

  close(): void {
    this.#options.listener.off('setting', this.#reload);
    this.#options.listener.off('resumed', this.#reload);
  }

  /** What holds now of a group; ask again at each use. */
  current<G extends SettingGroup>(group: G): SettingValues[G] {
    return this.#states[group].values;
  }

  /** The secret of a group; null without one. */
  secretOf(group: SettingGroup): string | null {
    return this.#states[group].secret;
  }

  /** Whether it was set in the browser. */
  isSet(group: SettingGroup): boolean {
    return this.#states[group].isSet;
  }

  /** Whether only the configuration holds, as it says itself. */
  isIgnored(group: SettingGroup): boolean {
    return this.#options.ignored.includes(group);
  }

  defaultsOf<G extends SettingGroup>(group: G): SettingValues[G] {
    return this.#options.defaults[group].values;
  }

  /**
   * What is made of some groups, and made anew when one of them has changed.
   * @param end of what was made before
   */
  derive<T>(groups: readonly SettingGroup[], make: () => T, end?: (made: T) => void): () => T {
    let last: { readonly states: readonly unknown[]; readonly made: T } | undefined;
    return () => {
      const states = groups.map((group) => this.#states[group]);
      if (last && states.every((state, index) => state === last?.states[index])) return last.made;
      const before = last;
      const made = make();
      last = { states, made };
      if (before) end?.(before.made);
      return made;
    };
  }

  /** What was written last, read afresh, with who wrote it. */
  async find(): Promise<States> {
    const rows = await findGroupRows(this.#options.database);
    return Object.fromEntries(
      SETTING_GROUPS.map((group) => [group, this.#stateOf(group, rows.get(group))]),
    ) as unknown as States;
  }

  /**
   * Changes a group.
   * @returns what held before, and whether its secret is another one now
   * @throws DomainError `changed_meanwhile` when the version is no longer the newest,
   * `secret_needed`, and what the checks refuse
   */
  async change<G extends SettingGroup>(
    group: G,
    { version, values, secret }: SettingChange<G>,
    userID: number,
  ): Promise<{ before: GroupState<G>; isSecretChanged: boolean }> {
    const { database, box, checks } = this.#options;
    const row = (await findGroupRows(database)).get(group);
    const before = this.#stateOf(group, row);
    if (before.version !== version) throw new DomainError('changed_meanwhile');
    const next = { ...before.values, ...values };
    const hasMoved = (OWNERS[group] ?? []).some((owner) => next[owner] !== before.values[owner]);
    if (secret === undefined && hasMoved && before.secret !== null)
      throw new DomainError('secret_needed');
    const kept = secret === undefined ? before.secret : secret;
    await checks[group]?.(next, kept);
    await this.#write(group, version, userID, {
      // Limits that were never set go on following the configuration.
      ...(group === 'limits' ? { ...overridesOf(group, row), ...values } : next),
      ...(kept === null ? {} : { Sealed: box.seal(keyOf(group), kept) }),
    });
    return { before, isSecretChanged: kept !== before.secret };
  }

  /**
   * Back to the configuration's values.
   * @throws DomainError `changed_meanwhile`
   */
  async reset<G extends SettingGroup>(
    group: G,
    version: number,
    userID: number,
  ): Promise<{ before: GroupState<G>; isSecretChanged: boolean }> {
    const row = (await findGroupRows(this.#options.database)).get(group);
    const before = this.#stateOf(group, row);
    // The row stays, and with it its version: an older page must not find its number again.
    await this.#write(group, version, userID, {});
    const isSecretChanged = before.secret !== this.#options.defaults[group].secret;
    return { before, isSecretChanged };
  }

  async #write(group: SettingGroup, version: number, userID: number, value: object): Promise<void> {
    const { database, clock } = this.#options;
    await database.transaction(async (tx) => {
      const isWritten = await writeGroupRow(tx, group, version, {
        value,
        updatedAt: clock.now(),
        updatedBy: userID,
      });
      if (!isWritten) throw new DomainError('changed_meanwhile');
      await notify(tx, 'setting', group);
    });
    await this.#read();
  }

  readonly #reload = (): void => {
    // If it fails the connection is gone, and its return is heard as well.
    void this.#read().catch(() => undefined);
  };

  /** Once it is done, what was written before it began holds. */
  async #read(): Promise<void> {
    const reading = this.#readInto((this.#readings += 1));
    this.#latest = reading;
    await reading;
    // Somebody began a later one meanwhile; it has set what we must not set any more.
    if (this.#latest !== reading) await this.#latest.catch(() => undefined);
  }

  async #readInto(reading: number): Promise<void> {
    const rows = await findGroupRows(this.#options.database);
    if (reading !== this.#readings) return;
    const states = SETTING_GROUPS.map((group) => {
      const row = rows.get(group);
      const source = JSON.stringify([row?.value, row?.version]);
      if (this.#sources.get(group) === source) return [group, this.#states[group]];
      this.#sources.set(group, source);
      return [group, this.#stateOf(group, row)];
    });
    this.#states = Object.fromEntries(states);
  }

  #stateOf<G extends SettingGroup>(group: G, row: GroupRow | undefined): GroupState<G> {
    const { defaults, box } = this.#options;
    const usual = defaults[group];
    const found = this.isIgnored(group) ? {} : overridesOf(group, row);
    const isSet = Object.keys(found).length > 0;
    const sealed = isSet ? sealedOf(row) : undefined;
    const own = sealed === undefined ? null : (box.unseal(keyOf(group), sealed) ?? null);
    const secret = isSet && group in OWNERS ? own : usual.secret;
    return {
      values: { ...usual.values, ...found },
      secret,
      secretState: secret !== null ? 'set' : sealed === undefined ? 'none' : 'lost',
      isSet,
      version: row?.version ?? 0,
      updatedAt: row?.updatedAt ?? null,
      updatedBy: row?.updatedBy ?? null,
    };
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function sealedOf(row: GroupRow | undefined): string | undefined {
  const sealed = fieldsOf(row?.value)['Sealed'];
  return typeof sealed === 'string' ? sealed : undefined;
}

/** What was set, without what an older release may have left there or other bounds forbid now. */
function overridesOf<G extends SettingGroup>(
  group: G,
  row: GroupRow | undefined,
): Partial<SettingValues[G]> {
  const rules: Readonly<Record<string, z.ZodType>> = settingRules[group].shape;
  const value = fieldsOf(row?.value);
  const parsed = Object.entries(rules).map(
    ([name, rule]) => [name, rule.safeParse(value[name])] as const,
  );
  // One address of ours and another of the configuration's would send a secret to the wrong one.
  if (group in OWNERS && parsed.some(([, { success }]) => !success)) return {};
  return Object.fromEntries(
    parsed.flatMap(([name, { success, data }]) => (success ? [[name, data] as const] : [])),
  ) as Partial<SettingValues[G]>;
}

/** What the site is called now, as it is written in the database: for what happens in a transaction. */
export async function readSiteNames(db: Executor): Promise<Readonly<Record<Language, string>>> {
  const names = siteSettings.pick({ NameZh: true, NameEn: true }).loose();
  const { data } = names.safeParse(await findSetting(db, keyOf('site')));
  const own = { 'zh-CN': data?.NameZh, 'en-US': data?.NameEn } as const;
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, own[language] ?? mailBrands[language]]),
  ) as Record<Language, string>;
}
