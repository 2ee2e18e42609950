import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nodeLicence } from '../executable/build.ts';
import { run } from '../packages/run.ts';
import { pack } from './archive.ts';
import { billOfBundle } from './bill-of-materials.ts';
import { makeDebianPackage } from './debian.ts';
import { checksums, digests } from './digests.ts';
import { type Build, provenance } from './provenance.ts';
import { writeRecipes } from './recipes.ts';
import { changes } from './versions.ts';

const product = 'team-memory-service';
/** The folder with this program, and with Node. */
const programs = join(import.meta.dirname, '..', '..');

/** Where a release is made. */
interface Folders {
  root: string;
  /** As `npm run packages` leaves it. */
  packages: string;
  /** As `npm run executables` leaves it. */
  executables: string;
  /** Gets the files. It is emptied first. */
  target: string;
}

/** Makes everything of a release. The same source gives the same files. */
export async function makeReleaseFiles(
  { root, packages, executables, target }: Folders,
  build: Build,
): Promise<void> {
  const { version, repository } = build;
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
  const licence = [
    readFileSync(join(packages, 'service', 'LICENSE'), 'utf8'),
    licences,
    nodeLicence(programs),
  ];
  await addExecutables({ target, folder: executables, licence: licence.join('\n\n') }, build);
  if (repository !== undefined)
    writeRecipes(target, { version, page: pageOf(repository), files: digests(target) });
  writeFileSync(join(target, `${product}-${version}.intoto.jsonl`), provenance(build, digests(target)));
  writeFileSync(join(target, 'RELEASE_NOTES.md'), releaseNotes(changes(root, version), build));
  writeFileSync(join(target, 'SHA256SUMS'), checksums(digests(target)));
}

/** Adds the executables, packed but for those of Windows, and the Debian packages of those for Linux. */
async function addExecutables(
  { target, folder, licence }: { target: string; folder: string; licence: string },
  { version, maintainer }: Build,
): Promise<void> {
  for (const name of globSync(`${product}-${version}-*`, { cwd: folder }).toSorted()) {
    const executable = join(folder, name);
    const [platform, arch = ''] = name.slice(`${product}-${version}-`.length).split('-');
    if (platform === 'win32') copyFileSync(executable, join(target, name));
    else await pack(join(target, `${name}.tar.gz`), { folder, entry: name, rename: product });
    if (platform === 'linux')
      await makeDebianPackage(target, { executable, arch, licence, version, maintainer });
  }
}

const pageOf = (repository: string) => repository.replace(/\.git$/, '');

/** Makes the notes of what the changelog says. A page elsewhere cannot follow links inside the repository. */
function releaseNotes(changed: string, { version, repository }: Build): string {
  const pages = repository && `${pageOf(repository)}/blob/v${version}/`;
  const text = pages ? changed.replace(/\]\((?!https?:|#)/g, `](${pages}`) : changed;
  return `# Team Memory Service ${version}\n\n${text}\n`;
}
