import { AppError } from '@teammemory/errors/app-error.ts';
import type { BackupRow, BackupSection, BackupStore } from './backup-store.ts';

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
}

/** Makes the restore of a service. To be called when its stores are opened. @throws AppError `unavailable`. */
export async function createRestore({ sections, records, finish }: BackupStore): Promise<Restore> {
  const atStart = (await records.read())?.restoreId;

  async function check(): Promise<void> {
    const last = await records.read();
    if (last !== undefined && !last.isFinished) return;
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
      await records.write({ restoreId, isFinished: false });
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
      await records.write({ restoreId, isFinished: true });
    },
    async ready() {
      const last = await records.read();
      if (last === undefined) return;
      if (!last.isFinished)
        throw new AppError('unavailable', 'A restore has not finished: run it again, or empty the data.');
      if (last.restoreId !== atStart)
        throw new AppError('unavailable', 'The data was restored: start this process again.');
    },
  };
}
