// Runs before `npm start` and `npm test`: makes a fresh clone ready, saying so, and is silent when nothing is missing.
// It is the one file that meets whatever Node the machine has, so it uses only what Node 12 can parse.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldestMachineNode = 20;
const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
/** npm writes it at the very end of an installation. */
const installationRecord = join(modules, '.package-lock.json');

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Whether npm finished installing just what package-lock.json asks for. */
function packagesAreInstalled() {
  if (!existsSync(installationRecord)) return false;
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const installed = readJson(installationRecord).packages;
  return Object.keys(wanted)
    .filter((path) => path.indexOf('node_modules/') !== -1)
    .every((path) => {
      // Packages for other platforms are optional and rightly absent.
      if (installed[path] === undefined) return wanted[path].optional === true;
      return (
        installed[path].version === wanted[path].version &&
        installed[path].integrity === wanted[path].integrity
      );
    });
}

/** Runs npm as the machine's own Node: the one in node_modules vanishes while npm reinstalls it. */
function npm(args) {
  const cli = process.env.npm_execpath;
  const node = process.env.npm_node_execpath || process.execPath;
  const options = { cwd: root, stdio: 'inherit' };
  const run = cli
    ? spawnSync(node, [cli].concat(args), options)
    : spawnSync('npm', args, { ...options, shell: true });
  return run.status === 0;
}

/** The version of Node that npm scripts will run on, such as `v26.10.0`; empty when it cannot be started. */
function installedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const run = spawnSync(join(modules, 'node', 'bin', name), ['--version'], { encoding: 'utf8' });
  return run.status === 0 ? run.stdout.trim() : '';
}

const machineNode = Number(process.versions.node.split('.')[0]);
if (machineNode < oldestMachineNode) {
  fail(
    `Node ${oldestMachineNode} or later is needed, and this is Node ${process.versions.node}: see https://nodejs.org.`,
  );
}

if (!packagesAreInstalled()) {
  process.stdout.write(
    'Installing the packages of package-lock.json into node_modules (npm install). It takes a minute, once.\n',
  );
  // What an interrupted installation left may be half a package, which npm would take for a whole one.
  if (!existsSync(installationRecord)) rmSync(modules, { recursive: true, force: true });
  // Not `npm ci`, which refuses a lock file that lacks optional packages of other platforms: some registries do
  // not carry them. --no-save leaves the lock file as it is; --include=dev because NODE_ENV=production would
  // leave out the tools that `npm test` needs.
  if (!npm(['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])) {
    fail('The packages could not be installed: what npm says above is the reason.');
  }
}

// The `node` package fetches its program in an install script, which npm may block or be told to ignore; scripts
// would then quietly run on the machine's own Node.
const wantedNode = `v${readJson(join(root, 'package.json')).dependencies.node}`;
if (installedNode() !== wantedNode) {
  process.stdout.write(
    `npm did not set up Node ${wantedNode.slice(1)}, on which this program runs; doing it now (npm rebuild node).\n`,
  );
  npm(['rebuild', 'node']);
  if (installedNode() !== wantedNode) {
    fail(
      `Node ${wantedNode.slice(1)} is not in node_modules: allow the install script of the npm package \`node\` and run \`npm rebuild node\`.`,
    );
  }
}
