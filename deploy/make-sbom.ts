// Prints the software bill of materials of the image as CycloneDX 1.6: every npm package that its programs and its dashboard
// are made of, by package-lock.json. Not `npm sbom`, which leaves out a package that any workspace has as a tool, and refuses
// a folder that has fewer packages than the lock file. The same lock file always gives the same text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What deploy/Dockerfile installs, and the dashboard, whose packages are in its bundle. */
const workspaces = [
  'gateway',
  'gateway/dashboard',
  'libs/cli',
  'services/all',
  'services/analytics',
  'services/auth',
  'services/content',
  'services/query',
];

/** What is used here of an entry of a lock file. */
interface LockedPackage {
  name?: string;
  version?: string;
  integrity?: string;
  license?: string;
  /** A link to the folder `resolved`. */
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const root = join(import.meta.dirname, '..');
const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { name, version, license, dependencies: tools } = readJson('package.json');
const locked: Record<string, LockedPackage> = readJson('package-lock.json').packages;

/** The folder that Node finds a package in when a folder imports it, or undefined where it is not installed. */
function resolve(from: string, dependency: string): string | undefined {
  for (let folder = from; ; ) {
    const place = folder === '' ? `node_modules/${dependency}` : `${folder}/node_modules/${dependency}`;
    const found = locked[place];
    if (found !== undefined) return found.link ? found.resolved : place;
    if (folder === '') return undefined;
    folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '';
  }
}

/** Folders that a package may import at run time; npm also installs optional peers that are there anyway. */
function neededBy(folder: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = locked[folder] ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    .map((dependency) => resolve(folder, dependency))
    .filter((found) => found !== undefined);
}

const reached = new Set<string>();
const left = workspaces.slice();
for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
  if (reached.has(folder)) continue;
  reached.add(folder);
  left.push(...neededBy(folder));
}

/** Whether a folder holds a package of somebody else; those of this repository are the application itself. */
const isForeign = (folder: string) => folder.includes('node_modules/');
const nameOf = (folder: string) => locked[folder]?.name ?? folder.split('node_modules/').at(-1) ?? '';
const referenceOf = (folder: string) =>
  `pkg:npm/${nameOf(folder).replace('@', '%40')}@${locked[folder]?.version}`;

function componentOf(folder: string) {
  const { version, integrity = '', license } = locked[folder] ?? {};
  const [group, own] = nameOf(folder).startsWith('@')
    ? nameOf(folder).split('/')
    : [undefined, nameOf(folder)];
  const [algorithm = '', digest = ''] = integrity.split('-');
  const content = Buffer.from(digest, 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': referenceOf(folder),
    ...(group === undefined ? {} : { group }),
    name: own,
    version,
    purl: referenceOf(folder),
    ...(content === '' ? {} : { hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content }] }),
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
  };
}

const byReference = new Map([...reached].filter(isForeign).map((folder) => [referenceOf(folder), folder]));
const foreign = [...byReference.values()].toSorted((a, b) => (referenceOf(a) < referenceOf(b) ? -1 : 1));
const foreignNeeds = (folders: string[]) =>
  [...new Set(folders.flatMap(neededBy).filter(isForeign).map(referenceOf))].toSorted();
const self = `pkg:npm/${name}@${version}`;
const node = `pkg:generic/node@${tools.node}`;
const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: { type: 'application', 'bom-ref': self, name, version, licenses: [{ expression: license }] },
  },
  components: [
    { type: 'platform', 'bom-ref': node, name: 'node', version: tools.node, purl: node },
    ...foreign.map(componentOf),
  ],
  dependencies: [
    { ref: self, dependsOn: [node, ...foreignNeeds([...reached].filter((folder) => !isForeign(folder)))] },
    ...foreign.map((folder) => ({ ref: referenceOf(folder), dependsOn: foreignNeeds([folder]) })),
  ],
};
process.stdout.write(`${JSON.stringify(bill, undefined, 2)}\n`);
