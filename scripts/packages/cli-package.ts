import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundling, knownBuild } from './bundling.ts';
import { type Origin, readManifest, stagePackage } from './stage.ts';
import { thirdPartyLicences } from './third-party-licences.ts';

/**
 * Builds the command line client: the program with all that it needs, in chunks that are loaded when a command needs
 * them. Returns the folder to pack.
 */
export async function buildCliPackage(root: string, target: string, origin: Origin): Promise<string> {
  const source = join(root, 'libs', 'cli');
  stagePackage(
    { origin, root, source, target },
    {
      description:
        'tms, the command line of the Team Memory Service: folders in step, questions, administration.',
      bin: { tms: 'bin/tms.js' },
      files: ['bin', 'dist', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES.txt'],
    },
  );
  const { metafile } = await build({
    entryPoints: [join(source, 'src', 'main.ts')],
    outdir: join(target, 'dist'),
    target: 'node20',
    ...bundling(root, [knownBuild(readManifest(source).version, origin)]),
    inject: [join(import.meta.dirname, 'array-from-async.ts')],
  });
  mkdirSync(join(target, 'bin'));
  const start = join(target, 'bin', 'tms.js');
  copyFileSync(join(source, 'package', 'tms.js'), start);
  chmodSync(start, 0o755);
  writeFileSync(
    join(target, 'THIRD-PARTY-LICENSES.txt'),
    thirdPartyLicences(root, Object.keys(metafile.inputs)),
  );
  return target;
}
