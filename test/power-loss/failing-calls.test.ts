import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { failCalls } from './call-fault.ts';
import { startFailingOperations } from './failing-operations.ts';
import { buildRecorder } from './recorder.ts';

/** Attempts by operation; `npm run lab` has every call of each fail in every way. */
const samples = { push: 4, revocation: 4, sync: 2, backup: 2 };
/** Calls whose failure once had an answer that was not true, or kept the next run from its work. */
const found = { sync: { nth: 4, kind: 'EIO' }, backup: { nth: 10, kind: 'EIO' } } as const;
/** Half a minute on two cores of their own. */
const timeoutMs = 300_000;

const built = await temporaryDirectory();
const recorder = buildRecorder(built.path);
afterAll(built.remove);

const reason = 'reason' in recorder ? ` (skipped: ${recorder.reason})` : '';
describe.skipIf('reason' in recorder)(`a call of the disk that fails${reason}`, () => {
  test('makes an answer an error or leaves it true, and the next start is right', {
    timeout: timeoutMs,
  }, async () => {
    if ('reason' in recorder) return;
    const seed = Date.now() % 2 ** 31;
    console.log(`seed of failing-calls.test.ts: ${seed}`);
    const failing = await startFailingOperations({ ...recorder, folder: built.path });
    onTestFinished(failing.remove, timeoutMs);
    for (const [name, sample] of Object.entries(samples)) {
      const operation = failing.operations.get(name);
      if (operation === undefined) throw new Error(`there is no operation ${name}`);
      const { faults } = await failCalls(operation, { sample, random: seededRandom(seed) });
      expect(faults).toEqual([]);
    }
    for (const [name, { nth, kind }] of Object.entries(found))
      expect(await failing.operations.get(name)?.attempt(nth, kind)).toMatchObject({ faults: [] });
  });
});
