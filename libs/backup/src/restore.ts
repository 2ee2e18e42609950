import { AppError } from '@teammemory/errors/app-error.ts';
import type { BackupRow, BackupSection, BackupStore, RestoreRecord } from './backup-store.ts';

/** Restores a backup into the data of one service. */
export interface Restore {
  /**
   * Checks that there is nothing to overwrite.
   * @throws AppError `conflict` if there are rows that no unfinished restore wrote.
   */
  check(): Promise<void>;
  /** Notes that a restore begins, after it has removed what an unfinished one left. @throws as `check`. */
  begin(restoreId: string): Promise<void>;
  /** Writes rows of a section. @throws AppError `conflict` for a restore that is not in progress, `not_found` for a section that is none. */
  restore(
    restoreId: string,
    section: string,
    rows: (section: BackupSection) => readonly BackupRow[],
  ): Promise<void>;
  /** Notes that everything was written. Ends again what has ended. @throws as `restore`. */
  end(restoreId: string): Promise<void>;
  /**
   * Whether this process may serve the data.
   * @throws AppError `unavailable` while a restore is unfinished, and after one until the process was started again.
   */
  ready(): Promise<void>;
  /**
   * The same for every call but those of backup and restore, from what was known last: nobody writes into data that the
   * next restore may remove.
   * @throws AppError as `ready`.
   */
  assertOpen(): void;
}

/** Makes the restore of a service. To be called when its stores are opened. @throws AppError `unavailable`. */
export async function createRestore({ sections, records, finish }: BackupStore): Promise<Restore> {
  const first = await records.read();
  /** The restore whose data this process has had from its start; a process may start while one is unfinished. */
  const atStart = first?.isFinished ? first.restoreId : undefined;
  let refusal = refusalFor(first);

  function refusalFor(last: RestoreRecord | undefined): AppError | undefined {
    if (last === undefined) return undefined;
    if (!last.isFinished)
      return new AppError('unavailable', 'A restore has not finished: run it again, or empty the data.');
    if (last.restoreId === atStart) return undefined;
    return new AppError('unavailable', 'The data was restored: start this process again.');
  }

  async function note(record: RestoreRecord): Promise<void> {
    await records.write(record);
    refusal = refusalFor(record);
  }

  async function check(): Promise<void> {
    // What is there was written by a restore, and nobody else could write since.
    if (refusalFor(await records.read()) !== undefined) return;
    for (const section of sections) {
      if (await section.isEmpty()) continue;
      throw new AppError(
        'conflict',
        `There is data in the service already (${section.name}). Restore into an empty one; start it with DEMO=off.`,
      );
    }
  }

  async function inProgress(restoreId: string): Promise<boolean> {
    const last = await records.read();
    if (last?.restoreId === restoreId) return !last.isFinished;
    throw new AppError('conflict', 'This restore is not in progress; begin again.');
  }

  return {
    check,
    async begin(restoreId) {
      await check();
      await note({ restoreId, isFinished: false });
      for (const section of sections) await section.clear();
    },
    async restore(restoreId, name, rows) {
      if (!(await inProgress(restoreId))) throw new AppError('conflict', 'This restore has ended.');
      const section = sections.find((each) => each.name === name);
      if (section === undefined) {
        throw new AppError(
          'not_found',
          `This version has nothing called ${JSON.stringify(name.slice(0, 100))}.`,
        );
      }
      await section.restore(rows(section));
    },
    async end(restoreId) {
      if (!(await inProgress(restoreId))) return;
      await finish?.();
      await note({ restoreId, isFinished: true });
    },
    async ready() {
      refusal = refusalFor(await records.read());
      if (refusal !== undefined) throw refusal;
    },
    assertOpen() {
      if (refusal !== undefined) throw refusal;
    },
  };
}
