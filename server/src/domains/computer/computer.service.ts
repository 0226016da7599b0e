/**
 * Personal computers: one per user, with a home folder of its own. What runs is an ordinary usage
 * with that folder as its home; deleting the computer ends it and takes the home, and nothing else.
 */
import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionType, type AnswerOf, type Language, type routes } from '@hypercube/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/errors.ts';
import { LEARNER } from '../../platform/storage/personal.ts';
import { diskBytesOf } from '../../engines/containers/disk-bytes.ts';
import { listSharedSpecifications } from '../specification/specification.choices.ts';
import { findSpecifications, type Specification } from '../specification/specification.service.ts';
import { presentSpecificationSummary } from '../specification/specification.summary.ts';
import * as queries from './computer.queries.ts';
import type { ComputerRow } from './computer.queries.ts';

export type { ComputerRow } from './computer.queries.ts';

/** How long the page waits for the size of a home; the last known one is told otherwise. */
const LOOK_MS = 2000;

export type ComputerService = ReturnType<typeof createComputerService>;

export function createComputerService({
  database,
  clock,
  dataFolder,
  endUsagesOf,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly dataFolder: string;
  /** Ends the environment of a computer that is deleted. */
  readonly endUsagesOf: (computerID: number) => Promise<void>;
}) {
  const pathOf = (computerID: number): string => join(dataFolder, 'computers', String(computerID));

  /** What the home takes now, or what was known of it last. */
  async function lookAtHome(row: ComputerRow): Promise<number | null> {
    try {
      const bytes = await diskBytesOf(pathOf(row.id), 'looking at a home folder', LOOK_MS);
      if (bytes !== row.homeBytes)
        await queries.changeComputer(database, row.id, { homeBytes: bytes });
      return bytes;
    } catch {
      // Too large to be walked over in time, or on another machine: the last figure is not wrong.
      return row.homeBytes;
    }
  }

  return {
    /** Home of a computer on the host; made, with its owner, when it is not there. */
    async homeFolder(computerID: number): Promise<string> {
      const path = pathOf(computerID);
      await mkdir(path, { recursive: true, mode: 0o755 });
      if (process.getuid?.() === 0) await chown(path, LEARNER.uid, LEARNER.gid);
      return path;
    },

    async read(userID: number, language: Language): Promise<AnswerOf<typeof routes.getComputer>> {
      const [row, choices] = await Promise.all([
        queries.findComputerOf(database, userID),
        listSharedSpecifications(database, SessionType.desktop),
      ]);
      const [specification] = row ? await findSpecifications(database, [row.specificationID]) : [];
      return {
        Computer:
          row && specification
            ? {
                ID: row.id,
                Name: row.name,
                Specification: presentSpecificationSummary(specification, language),
                HomeBytes: await lookAtHome(row),
                CreatedAt: row.createdAt.toISOString(),
                LastStartedAt: row.lastStartedAt?.toISOString() ?? null,
              }
            : null,
        Specifications: choices.map((choice) => presentSpecificationSummary(choice, language)),
      };
    },

    /** @throws DomainError `computer_exists`, `image_type_differs` */
    async create(userID: number, username: string, specification: Specification): Promise<void> {
      if (specification.imageType !== SessionType.desktop)
        throw new DomainError('image_type_differs');
      const row = await queries.insertComputer(database, {
        userID,
        specificationID: specification.id,
        name: `${username}-pc`,
      });
      if (!row) throw new DomainError('computer_exists');
    },

    async started(row: ComputerRow): Promise<void> {
      await queries.changeComputer(database, row.id, { lastStartedAt: clock.now() });
    },

    /** @throws DomainError `computer_name_differs` when the typed name is another */
    async remove(row: ComputerRow, typedName: string): Promise<void> {
      if (typedName.trim() !== row.name) throw new DomainError('computer_name_differs');
      await queries.changeComputer(database, row.id, { deletedAt: clock.now() });
      await endUsagesOf(row.id);
    },

    /** Takes away the homes of deleted computers whose containers are gone. */
    async sweep(): Promise<void> {
      for (const { id } of await queries.listDeletable(database)) {
        await rm(pathOf(id), { recursive: true, force: true });
        await queries.deleteComputerRow(database, id);
      }
    },
  };
}
