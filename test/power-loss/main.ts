// `npm run lab`: many crash images of many recorded services, and a table of what was found. Options: `--images 20000`,
// `--seed 1`. Ends with status 1 where something was wrong; then the recorded calls are kept.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { faultsOfImages } from './lab.ts';
import { buildRecorder } from './recorder.ts';
import { recordService } from './workload.ts';

const imagesOfRecording = 500;
/** On one image of so many the whole program starts, which takes as long as fifty openings of the stores. */
const imagesPerStart = 50;
const kept = join(import.meta.dirname, '../../.test-results');

const { values } = parseArgs({ options: { images: { type: 'string' }, seed: { type: 'string' } } });
const wanted = Number(values.images ?? 20_000);
const firstSeed = Number(values.seed ?? Date.now() % 2 ** 31);

const directory = await temporaryDirectory();
try {
  const recorder = buildRecorder(directory.path);
  if ('reason' in recorder) throw new Error(`nothing can be recorded: ${recorder.reason}`);
  console.log('| seed | calls | images | starts | faults | seconds |\n|---|---|---|---|---|---|');
  for (let done = 0, seed = firstSeed; done < wanted; done += imagesOfRecording, seed += 1) {
    const startedMs = performance.now();
    const folder = join(directory.path, String(seed));
    mkdirSync(folder);
    const recording = await recordService({ ...recorder, folder, seed });
    const images = Math.min(imagesOfRecording, wanted - done);
    const starts = Math.ceil(images / imagesPerStart);
    const faults = await Array.fromAsync(faultsOfImages(recording, { images, starts, seed, folder }));
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    console.log(
      `| ${seed} | ${recording.calls.length} | ${images} | ${starts} | ${faults.length} | ${seconds} |`,
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
} finally {
  await directory.remove();
}
