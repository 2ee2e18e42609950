// `npm run lab`: every call of some operations fails in every way, and then many crash images are made of many recorded
// services; tables tell what was found. Options: `--only calls` or `images`, `--images 20000`, `--seed 1`. Ends with status
// 1 where something was wrong; then the recorded calls of images are kept.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { failCalls } from './call-fault.ts';
import { startFailingOperations } from './failing-operations.ts';
import { faultsOfImages } from './lab.ts';
import { buildRecorder } from './recorder.ts';
import { recordService } from './workload.ts';

const imagesOfRecording = 500;
/** On one image of so many the whole program starts, which takes as long as fifty openings of the stores. */
const imagesPerStart = 50;
const kept = join(import.meta.dirname, '../../.test-results');

/** What both parts of the lab work with. */
interface Bench {
  library: string;
  folder: string;
  seed: number;
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, images: { type: 'string' }, seed: { type: 'string' } },
});

async function failAllCalls({ seed, ...bench }: Bench): Promise<void> {
  const failing = await startFailingOperations(bench);
  try {
    console.log('| operation | calls | attempts | faults | seconds |\n|---|---|---|---|---|');
    for (const operation of failing.operations.values()) {
      const startedMs = performance.now();
      const { name, calls, attempts, faults } = await failCalls(operation, { random: seededRandom(seed) });
      console.log(`| ${name} | ${calls} | ${attempts} | ${faults.length} | ${secondsSince(startedMs)} |`);
      if (faults.length === 0) continue;
      process.exitCode = 1;
      console.error(faults.join('\n'));
    }
  } finally {
    await failing.remove();
  }
}

async function makeImages(
  { library, folder: parent, seed: firstSeed }: Bench,
  wanted: number,
): Promise<void> {
  console.log('| seed | calls | images | starts | faults | seconds |\n|---|---|---|---|---|---|');
  for (let done = 0, seed = firstSeed; done < wanted; done += imagesOfRecording, seed += 1) {
    const startedMs = performance.now();
    const folder = join(parent, String(seed));
    mkdirSync(folder);
    const recording = await recordService({ library, folder, seed });
    const images = Math.min(imagesOfRecording, wanted - done);
    const starts = Math.ceil(images / imagesPerStart);
    const faults = await Array.fromAsync(faultsOfImages(recording, { images, starts, seed, folder }));
    console.log(
      `| ${seed} | ${recording.calls.length} | ${images} | ${starts} | ${faults.length} | ${secondsSince(startedMs)} |`,
    );
    if (faults.length > 0) {
      process.exitCode = 1;
      mkdirSync(kept, { recursive: true });
      const file = join(kept, `power-loss-${seed}.calls`);
      copyFileSync(join(folder, 'calls'), file);
      console.error(`${faults.join('\n')}\nThe calls are kept in ${file}.`);
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

const secondsSince = (startedMs: number) => Math.round((performance.now() - startedMs) / 1_000);

const directory = await temporaryDirectory();
try {
  const recorder = buildRecorder(directory.path);
  if ('reason' in recorder) throw new Error(`nothing can be recorded: ${recorder.reason}`);
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  const bench = { library: recorder.library, folder: directory.path, seed };
  if (values.only !== 'images') await failAllCalls(bench);
  if (values.only !== 'calls') await makeImages(bench, Number(values.images ?? 20_000));
} finally {
  await directory.remove();
}
