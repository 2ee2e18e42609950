import { AppError } from '@teammemory/errors/app-error.ts';
import type { BackupRow, BackupSection, BackupStore, RestoreRecord } from './backup-store.ts';

/**
 * A restore that was silent for so long was interrupted, and another may begin. A write to a store takes at most eight
 * seconds, so none of the silent one's can still arrive then.
 */
const maxSilenceMs = 15_000;
/** An active restore says so no more often than this. */
const renewEveryMs = 1_000;
/** Only calls of the same restore compete for its record, and each time one of them succeeds. */
const maxAttempts = 10;
/** Rows that are written between two looks at whether the restore is still in progress. */
const rowsPerLook = 200;

/** Restores a backup into the data of one service. */
export interface Restore {
  /**
   * Checks that there is nothing to overwrite.
   * @throws AppError `conflict` if there are rows that no unfinished restore wrote, or while another restore is in progress.
   */
  check(): Promise<void>;
  /** Notes that a restore begins, after it has removed what an unfinished one left. @throws as `check`. */
  begin(restoreId: string): Promise<void>;
  /**
   * Writes rows of a section. Without rows it only says that the restore goes on.
   * @throws AppError `conflict` for a restore that is not in progress, `not_found` for a section that is none.
   */
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
export async function createRestore(
  { sections, records, finish }: BackupStore,
  clock: () => number = Date.now,
): Promise<Restore> {
  const first = await records.read();
  /** The restore whose data this process has had from its start; a process may start while one is unfinished. */
  const atStart = first?.isFinished ? first.restoreId : undefined;
  const refusalFor = (last: RestoreRecord | undefined) => refusalAfter(last, atStart);
  let refusal = refusalFor(first);

  /** Returns what is there: nothing, or what a restore wrote that is not in progress any more. @throws as `check`. */
  async function free(): Promise<RestoreRecord | undefined> {
    const last = await records.read();
    if (last !== undefined && !last.isFinished && Math.abs(clock() - last.activeAt) < maxSilenceMs) {
      throw new AppError(
        'conflict',
        `Another restore is in progress. Let it finish; if it was interrupted, try again in ${maxSilenceMs / 1000} seconds.`,
      );
    }
    // What is there was written by a restore, and nobody else could write since.
    if (refusalFor(last) !== undefined) return last;
    for (const section of sections) {
      if (await section.isEmpty()) continue;
      throw new AppError(
        'conflict',
        `There is data in the service already (${section.name}). Restore into an empty one; start it with DEMO=off.`,
      );
    }
    return last;
  }

  /**
   * Sees to it that no other restore begins during the next piece of work. Returns its record, undefined if it has ended.
   * @throws AppError `conflict` if it is not in progress.
   */
  async function keep(restoreId: string): Promise<RestoreRecord | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const last = await records.read();
      if (last?.restoreId !== restoreId)
        throw new AppError('conflict', 'This restore is not in progress; begin again.');
      if (last.isFinished) return undefined;
      const renewed = { ...last, activeAt: clock() };
      if (Math.abs(renewed.activeAt - last.activeAt) < renewEveryMs) return last;
      if (await records.replace(last, renewed)) return renewed;
    }
    throw tooManyAtOnce();
  }

  return {
    async check() {
      await free();
    },
    async begin(restoreId) {
      const record = { restoreId, isFinished: false, activeAt: clock() };
      if (!(await records.replace(await free(), record)))
        throw new AppError('conflict', 'Another restore began at the same time. Let it finish.');
      refusal = refusalFor(record);
      for (const section of sections) await section.clear(() => keep(restoreId));
    },
    async restore(restoreId, name, rows) {
      const assertInProgress = async () => {
        if ((await keep(restoreId)) === undefined) throw new AppError('conflict', 'This restore has ended.');
      };
      await assertInProgress();
      const section = sections.find((each) => each.name === name);
      if (section === undefined) {
        throw new AppError(
          'not_found',
          `This version has nothing called ${JSON.stringify(name.slice(0, 100))}.`,
        );
      }
      const all = rows(section);
      for (let start = 0; start < all.length; start += rowsPerLook) {
        if (start > 0) await assertInProgress();
        await section.restore(all.slice(start, start + rowsPerLook));
      }
    },
    async end(restoreId) {
      if ((await keep(restoreId)) === undefined) return;
      await finish?.(clock());
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const last = await keep(restoreId);
        if (last === undefined) return;
        const finished = { ...last, isFinished: true };
        if (!(await records.replace(last, finished))) continue;
        refusal = refusalFor(finished);
        return;
      }
      throw tooManyAtOnce();
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

/** Why calls are refused after a restore, unless the process has had its data from its start. */
function refusalAfter(last: RestoreRecord | undefined, atStart: string | undefined): AppError | undefined {
  if (last === undefined) return undefined;
  if (!last.isFinished)
    return new AppError('unavailable', 'A restore has not finished: run it again, or empty the data.');
  if (last.restoreId === atStart) return undefined;
  return new AppError('unavailable', 'The data was restored: start this process again.');
}

function tooManyAtOnce(): AppError {
  return new AppError('unavailable', 'Too many calls of this restore came at once; try again.');
}
