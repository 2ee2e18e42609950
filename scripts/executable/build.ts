import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../packages/run.ts';

/** Returns the licence of Node, and of what Node contains, which goes where its program goes. */
export function nodeLicence(root: string): string {
  const [file] = globSync('node_modules/node-{linux,darwin,bin,win}*/LICENSE', { cwd: root });
  if (file === undefined) throw new Error('node_modules has no licence of Node.');
  return readFileSync(join(root, file), 'utf8');
}

/**
 * Makes one file of a program of Node, which may be of another platform, and the package in `service`. Returns the file, which
 * is named after version and platform. Throws Error with Node's words if that fails.
 */
export async function buildExecutable(
  service: string,
  { target, node, platform }: { target: string; node: string; platform: string },
): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(service, 'package.json'), 'utf8'));
  const suffix = platform.startsWith('win32-') ? '.exe' : '';
  const output = join(target, `team-memory-service-${version}-${platform}${suffix}`);
  const files = globSync('**/*', { cwd: service })
    .filter((path) => statSync(join(service, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
  const hash = createHash('sha256');
  for (const path of files)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(service, path)));
  const folder = mkdtempSync(join(tmpdir(), 'team-memory-executable-'));
  try {
    const content = join(folder, 'content');
    writeFileSync(content, `${version}-${hash.digest('hex').slice(0, 16)}`);
    const assets = Object.fromEntries(files.map((path) => [path, join(service, path)]));
    const configuration = join(folder, 'configuration.json');
    // Its path is in the executable: with that of the checkout each checkout would make another one.
    const main = 'start.cjs';
    copyFileSync(join(import.meta.dirname, main), join(folder, main));
    const licence = join(folder, 'licence');
    writeFileSync(licence, nodeLicence(join(import.meta.dirname, '..', '..')));
    Object.assign(assets, { content, 'LICENSE-NODE.txt': licence });
    const fixed = { main, output, executable: node, disableExperimentalSEAWarning: true };
    writeFileSync(configuration, JSON.stringify(Object.assign(fixed, { assets })));
    await run(process.execPath, [`--build-sea=${configuration}`], folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return output;
}
