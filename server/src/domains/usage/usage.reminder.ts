/** The message inside a desktop that its time runs out: full screen hides the page that says so. */
import { TIMES } from '@hypercube/contract';
import { loadCatalogue } from '@hypercube/messages';
import type { ContainerEngine } from '../../engines/containers/engine.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { takeUnreminded } from './usage.queries.ts';

const [AHEAD_SECONDS] = TIMES.usageWarningsSeconds;
const EXEC_MS = 10_000;

/**
 * Tells the desktops that end within five minutes, each once.
 * @param failed told of a desktop that could not be reached; it is not tried again
 */
export async function remindDesktops(
  database: Database,
  clock: Clock,
  engine: ContainerEngine,
  failed: (usageID: number, error: unknown) => void,
): Promise<void> {
  for (const row of await takeUnreminded(database, clock.now(), AHEAD_SECONDS)) {
    const { usage } = await loadCatalogue(row.language === 'en-US' ? 'en-US' : 'zh-CN');
    try {
      const answer = await engine.exec(
        row.id,
        row.nodes[0]?.name ?? '',
        ['session-message', usage.warning5, usage.warningText],
        { timeoutMs: EXEC_MS },
      );
      if (answer.exitCode !== 0) throw new Error(answer.stderr);
    } catch (error) {
      failed(row.id, error);
    }
  }
}
