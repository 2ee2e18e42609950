// `npm run test:image`: builds the image without a daemon and runs it as a container would be: the whole service, then
// every service of docker-compose.yml in its order. Needs root, bubblewrap, buildah, mmdebstrap and redis-server (of Debian) and
// what scripts/install-deploy-tools.ts installs; where something is missing it says so and ends with 0.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chooseMongodb } from '../servers/choose-mongodb.ts';
import { toolExists } from '../support/deployment/deploy-tools.ts';

const repository = join(import.meta.dirname, '..', '..');
const image = join(repository, 'dist', 'image');
/** Lets bubblewrap run a program of root on this file system, in an empty network. */
const ownNetwork = ['--unshare-net', '--cap-add', 'ALL', '--dev-bind', '/', '/'];
/** A quiet machine takes half a minute, a loaded one eight. */
const stepTimeoutMs = 20 * 60_000;
const mostBytes = 100_000_000;

/** Why it cannot be run here; undefined if it can. */
async function reasonNotTo(): Promise<string | undefined> {
  const programs = ['buildah', 'mmdebstrap', 'bwrap', 'redis-server'];
  const missing = programs.filter((program) => spawnSync(program, ['--version']).status !== 0);
  if (missing.length > 0) return `there is no ${missing.join(', ')}`;
  if (process.getuid?.() !== 0) return 'only root may build an image and start it as another user';
  const nested = ['bwrap', '--unshare-all', '--share-net', '--ro-bind', '/', '/', '--proc', '/proc', 'true'];
  const outer = spawnSync('bwrap', [...ownNetwork, 'setpriv', '--reuid=1000', '--clear-groups', ...nested], {
    encoding: 'utf8',
  });
  if (outer.status !== 0) return `bubblewrap cannot be used: ${outer.stderr.trim()}`;
  if (!toolExists('compose')) return 'scripts/install-deploy-tools.ts was not run';
  // Not the server of MONGODB_URL, which the empty network does not reach.
  const mongodb = await chooseMongodb({ PATH: process.env.PATH });
  return 'reason' in mongodb ? mongodb.reason : undefined;
}

/** Runs a program of Node, perhaps below another program, and ends with its exit code unless that is 0. */
function run(command: string, ...parameters: string[]): void {
  const { status } = spawnSync(command, parameters, {
    cwd: repository,
    stdio: 'inherit',
    timeout: stepTimeoutMs,
  });
  if (status !== 0) process.exit(status ?? 1);
}

const reason = await reasonNotTo();
if (reason !== undefined) {
  process.stdout.write(`The image is not tested: ${reason}.\n`);
  process.exit(0);
}
run(process.execPath, 'scripts/build-image.ts');
const bytes = statSync(join(image, 'image.tar.gz')).size;
if (bytes > mostBytes) throw new Error(`the image has ${bytes} bytes compressed, more than ${mostBytes}`);
if (!existsSync(join(image, 'root', 'app', 'sbom.cdx.json')))
  throw new Error('the image has no bill of materials');
// In a network of its own, where every port is free, and with the image at a path that every user may enter.
run(
  'bwrap',
  ...ownNetwork,
  ...['--die-with-parent', '--bind', image, '/mnt'],
  ...[process.execPath, join(import.meta.dirname, 'smoke.ts'), '/mnt'],
);
