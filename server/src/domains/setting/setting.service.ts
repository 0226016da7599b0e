/** Values that the installation keeps for itself, and the settings that admins change in the browser. */
import { settings as schema, type Settings as Values } from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { notify, type Listener } from '../../platform/database/notify.ts';
import { DomainError } from '../../platform/errors.ts';
import { findSettingsRow, writeSettingsRow, type SettingsRow } from './setting.queries.ts';

export { findSetting, writeSetting } from './setting.queries.ts';

export interface SettingsOptions {
  readonly database: Database;
  readonly listener: Listener;
  readonly clock: Clock;
  /** What holds where nothing was set, from the configuration. */
  readonly defaults: Values;
}

/** Those that are changed; the others stay. */
export type SettingChanges = { readonly [K in keyof Values]?: Values[K] | undefined };

export interface WrittenSettings {
  readonly values: Values;
  /** 0 while nothing was ever set. */
  readonly version: number;
  readonly updatedAt: Date | null;
  /** Nickname. */
  readonly updatedBy: string | null;
}

/** The settings that hold now, in every process: a change is heard and read again. */
export class Settings {
  readonly #options: SettingsOptions;
  #current: Values;
  /** Readings may overlap; an older one must not win. */
  #readings = 0;

  private constructor(options: SettingsOptions) {
    this.#options = options;
    this.#current = options.defaults;
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

  /** What holds now; ask again at each use. */
  current(): Values {
    return this.#current;
  }

  get defaults(): Values {
    return this.#options.defaults;
  }

  /** What was written last, read afresh, with who wrote it. */
  async find(): Promise<WrittenSettings> {
    const row = await findSettingsRow(this.#options.database);
    return {
      values: { ...this.#options.defaults, ...overridesOf(row) },
      version: row?.version ?? 0,
      updatedAt: row?.updatedAt ?? null,
      updatedBy: row?.updatedBy ?? null,
    };
  }

  /**
   * Changes some of them; null takes a setting that may be null away.
   * @throws DomainError `changed_meanwhile` when `version` is no longer the newest
   */
  async change(version: number, values: SettingChanges, userID: number): Promise<void> {
    const { database, clock } = this.#options;
    await database.transaction(async (tx) => {
      const before = overridesOf(await findSettingsRow(tx));
      const isWritten = await writeSettingsRow(tx, version, {
        value: { ...before, ...values },
        updatedAt: clock.now(),
        updatedBy: userID,
      });
      if (!isWritten) throw new DomainError('changed_meanwhile');
      await notify(tx, 'setting', '');
    });
    await this.#read();
  }

  readonly #reload = (): void => {
    // If it fails the connection is gone, and its return is heard as well.
    void this.#read().catch(() => undefined);
  };

  async #read(): Promise<void> {
    const reading = (this.#readings += 1);
    const { values } = await this.find();
    if (reading === this.#readings) this.#current = values;
  }
}

/** What was set, without what an older release may have left there or other bounds forbid now. */
function overridesOf(row: SettingsRow | undefined): Partial<Values> {
  const value = typeof row?.value === 'object' ? row.value : {};
  const kept = Object.entries(schema.shape).flatMap(([name, rule]) => {
    const parsed = rule.safeParse((value as Record<string, unknown> | null)?.[name]);
    return parsed.success ? [[name, parsed.data] as const] : [];
  });
  return Object.fromEntries(kept);
}
