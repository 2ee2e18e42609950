import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../packages/run.ts';
import { pack } from './archive.ts';
import { billOfBundle } from './bill-of-materials.ts';
import { checksums, digests } from './digests.ts';
import { type Build, provenance } from './provenance.ts';
import { changes } from './versions.ts';

const product = 'team-memory-service';

/**
 * Makes everything of a release from the packages in a folder, as `npm run packages` leaves it, and puts it into the folder
 * `target`, which is emptied first. The same source gives the same files.
 */
export async function makeReleaseFiles(
  root: string,
  { packages, target, build }: { packages: string; target: string; build: Build },
): Promise<void> {
  const { version } = build;
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const tarball of globSync(join(packages, '*.tgz')))
    copyFileSync(tarball, join(target, basename(tarball)));
  await pack(join(target, `${product}-chart-${version}.tgz`), {
    folder: join(root, 'deploy'),
    entry: 'helm',
    // Helm wants the folder to have the chart's name.
    rename: product,
  });
  const whole = await run(process.execPath, [join(root, 'deploy', 'make-sbom.ts')], root);
  const licences = readFileSync(join(packages, 'service', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  writeFileSync(join(target, `${product}-${version}.cdx.json`), billOfBundle(JSON.parse(whole), licences));
  writeFileSync(join(target, `${product}-${version}.intoto.jsonl`), provenance(build, digests(target)));
  writeFileSync(join(target, 'RELEASE_NOTES.md'), releaseNotes(changes(root, version), build));
  writeFileSync(join(target, 'SHA256SUMS'), checksums(digests(target)));
}

/** Makes the notes of what the changelog says. A page elsewhere cannot follow links inside the repository. */
function releaseNotes(changed: string, { version, repository }: Build): string {
  const pages = repository && `${repository.replace(/\.git$/, '')}/blob/v${version}/`;
  const text = pages ? changed.replace(/\]\((?!https?:|#)/g, `](${pages}`) : changed;
  return `# Team Memory Service ${version}\n\n${text}\n`;
}
