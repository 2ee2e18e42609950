// Fails when libs/proto/gen is not what `npm run generate` makes of proto/: edited by hand, or forgotten.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const generatedFolder = join('libs', 'proto', 'gen');

/** Generates into an empty folder and returns what is there, by path. */
function generateAfresh(): Map<string, string> {
  const scratch = mkdtempSync(join(tmpdir(), 'teammemory-generate-'));
  try {
    const buf = join(root, 'node_modules', '.bin', 'buf');
    // buf.gen.yaml names its output relative to proto/, so the scratch folder needs the same shape.
    const run = spawnSync(buf, ['generate', '--output', join(scratch, 'proto')], {
      cwd: join(root, 'proto'),
      stdio: 'inherit',
    });
    if (run.status !== 0) throw new Error('buf generate failed: see above');
    return readFiles(join(scratch, generatedFolder));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readFiles(folder: string): Map<string, string> {
  return new Map(
    globSync('**/*.ts', { cwd: folder }).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
}

const fresh = generateAfresh();
const committed = readFiles(join(root, generatedFolder));
const differing = [...new Set([...fresh.keys(), ...committed.keys()])]
  .filter((file) => fresh.get(file) !== committed.get(file))
  .toSorted();
if (fresh.size === 0) throw new Error('buf generate made no file');
for (const file of differing) process.stderr.write(`not current: ${join(generatedFolder, file)}\n`);
if (differing.length > 0) {
  process.stderr.write('Run `npm run generate` and commit the result.\n');
  process.exitCode = 1;
}
