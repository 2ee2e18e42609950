import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSimulatedDisk } from './crash-image.ts';
import { faultsOfImages } from './lab.ts';
import { plantedFaults } from './planted-faults.ts';
import { buildRecorder } from './recorder.ts';
import { type Recording, recordService } from './workload.ts';

/** Of these a few are images on which the whole program starts. `npm run lab` makes more of both. */
const images = 500;
const starts = 8;
/** The search ends at the first loss, which one image in ten or more shows. */
const imagesOfPlantedFault = 120;
/** A minute on two cores of their own. */
const timeoutMs = 300_000;

const built = await temporaryDirectory();
const recorder = buildRecorder(built.path);
afterAll(built.remove);

const reason = 'reason' in recorder ? ` (skipped: ${recorder.reason})` : '';
describe.skipIf('reason' in recorder)(`power loss on SQLite${reason}`, { timeout: timeoutMs }, () => {
  let directory: TemporaryDirectory;
  let recording: Recording;
  const seed = Date.now() % 2 ** 31;

  async function record(name: string, environment?: Record<string, string>): Promise<Recording> {
    if ('reason' in recorder) throw new Error(recorder.reason);
    const folder = join(directory.path, name);
    await mkdir(folder);
    return recordService({ ...recorder, folder, seed, ...(environment && { environment }) });
  }
  beforeAll(async () => {
    console.log(`seed of power-loss.test.ts: ${seed}`);
    directory = await temporaryDirectory();
    recording = await record('good');
  }, timeoutMs);
  afterAll(() => directory?.remove());
  const faultsOf = (changed: Partial<Recording>, budget: { images: number; starts: number }) =>
    faultsOfImages({ ...recording, ...changed }, { ...budget, seed, folder: directory.path });

  test('the record of calls makes the very files that the service left', () => {
    const disk = createSimulatedDisk();
    for (const call of recording.calls) disk.apply(call);
    const { files } = disk.crash('everything', seededRandom(seed));
    const written = Object.fromEntries(
      [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]),
    );
    expect(written).toEqual(filesBelow(recording.root));
  });

  test('what was acknowledged is there, nothing refused is, and all parts fit, on 500 images of a crash', async () => {
    expect(await Array.fromAsync(faultsOf({}, { images, starts }))).toEqual([]);
  });

  for (const [name, plant] of Object.entries(plantedFaults)) {
    test(`the lab finds a program of which this is true: ${name}`, async () => {
      expect(await firstLoss({ calls: plant(recording.calls) })).toBeDefined();
    });
  }

  test('the lab finds a program of which this is true: commits are not synced', async () => {
    const plant = join(import.meta.dirname, 'plant-unsynced.ts');
    expect(await firstLoss(await record('unsynced', { NODE_OPTIONS: `--import ${plant}` }))).toBeDefined();
  });

  async function firstLoss(changed: Partial<Recording>): Promise<string | undefined> {
    for await (const fault of faultsOf(changed, { images: imagesOfPlantedFault, starts: 0 }))
      if (/ is (none|active|sha256:\w+), but must be /.test(fault)) return fault;
    return undefined;
  }
});

/** What the recorder leaves out is left out here. */
function filesBelow(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/(?:^reserve|-shm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [relative(root, path), readFileSync(path).toString('base64')]),
  );
}
