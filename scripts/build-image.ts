// `npm run image [-- --node-image <name>]`: builds deploy/Dockerfile without a daemon, with Debian's `buildah`, and prints how
// large the image is. Without `--node-image` its base has the layout of the official one, of packages of Debian and this
// checkout's Node, so it needs no registry of images. Needs root. In dist/image/, or `--target`, image.tar.gz is for
// `docker load`, root/ the file system, and config.json what a container is started with.
import {
  appendFileSync,
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { run } from './packages/run.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { 'node-image': { type: 'string' }, target: { type: 'string' } },
});
const target = values.target ?? join(root, 'dist', 'image');
const packages = join(target, 'packages');
const image = 'localhost/team-memory-service';
const ownBase = 'localhost/node-of-debian';
/** What the official image has of Debian as far as the parts, Node, the health check and the chart's scripts use it. */
const debianPackages = 'base-files,base-passwd,ca-certificates,coreutils,dash,libatomic1,libstdc++6';

/** Runs buildah on a store of its own, which is removed with the folder; needs neither a daemon nor namespaces of users. */
function buildah(command: string, ...parameters: string[]): Promise<string> {
  const folders = ['--root', join(target, 'store'), '--runroot', join(target, 'run')];
  return run('buildah', ['--storage-driver', 'vfs', ...folders, command, ...parameters], root);
}

const build = (...parameters: string[]) =>
  buildah('build', '--isolation', 'chroot', '--pull-never', ...parameters);

/** Makes the package, with the bill of materials, as the first stage of the Dockerfile does. */
async function makePackage(): Promise<string> {
  await run(process.execPath, [join(root, 'scripts', 'build-packages.ts'), packages], root);
  const folder = join(packages, 'service');
  writeFileSync(
    join(folder, 'sbom.cdx.json'),
    await run(process.execPath, [join(root, 'deploy', 'make-sbom.ts')], root),
  );
  return folder;
}

/** Makes an image with Node at the place and the user `node` with the number that the official one has. */
async function makeBase(): Promise<void> {
  const files = join(target, 'base');
  // Only unpacked: scripts of the packages take a minute, and what they make is these few files.
  await run(
    'mmdebstrap',
    ['--quiet', '--variant=extract', `--include=${debianPackages}`, 'bookworm', files],
    root,
  );
  if (!existsSync(join(files, 'bin', 'sh'))) symlinkSync('dash', join(files, 'bin', 'sh'));
  for (const [name, line] of [
    ['passwd', 'node:x:1000:1000::/home/node:/bin/sh\n'],
    ['group', 'node:x:1000:\n'],
  ] as const) {
    copyFileSync(join(files, 'usr', 'share', 'base-passwd', `${name}.master`), join(files, 'etc', name));
    appendFileSync(join(files, 'etc', name), line);
  }
  writeFileSync(join(files, 'etc', 'nsswitch.conf'), 'hosts: files dns\n');
  // Whoever starts a container mounts a list of hosts there.
  writeFileSync(join(files, 'etc', 'hosts'), '');
  mkdirSync(join(files, 'home', 'node'));
  mkdirSync(join(files, 'usr', 'local', 'bin'), { recursive: true });
  copyFileSync(process.execPath, join(files, 'usr', 'local', 'bin', 'node'));
  writeFileSync(join(target, 'Dockerfile'), 'FROM scratch\nCOPY . /\nCMD ["node"]\n');
  await build('--tag', ownBase, '--file', join(target, 'Dockerfile'), files);
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const commit = await run('git', ['rev-parse', 'HEAD'], root).catch(() => 'unknown');
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const nodeImage = values['node-image'] ?? ownBase;
const [folder] = await Promise.all([
  makePackage(),
  nodeImage === ownBase ? makeBase() : buildah('pull', nodeImage),
]);
await build(
  `--build-context=package=${folder}`,
  `--build-arg=NODE_IMAGE=${nodeImage}`,
  `--build-arg=VERSION=${version}`,
  `--build-arg=REVISION=${commit.trim()}`,
  // The other format has no health check.
  '--format=docker',
  `--file=${join(root, 'deploy', 'Dockerfile')}`,
  `--tag=${image}`,
  root,
);
const archive = join(target, 'image.tar.gz');
const layers = join(target, 'image.tar');
await buildah('push', image, `docker-archive:${layers}:team-memory-service:${version}`);
await pipeline(createReadStream(layers), createGzip(), createWriteStream(archive));
rmSync(layers);
writeFileSync(
  join(target, 'config.json'),
  await buildah('inspect', '--type', 'image', '--format', '{{.Config}}', image),
);
const container = (await buildah('from', '--pull-never', image)).trim();
const mounted = (await buildah('mount', container)).trim();
await run('cp', ['--archive', mounted, join(target, 'root')], root);
await buildah('umount', container);
for (const folder of ['base', 'packages', 'run', 'store']) rmSync(join(target, folder), { recursive: true });
const megabytes = Math.ceil(statSync(archive).size / 1_000_000);
process.stdout.write(`${archive}: ${megabytes} MB compressed, on ${nodeImage}\n`);
