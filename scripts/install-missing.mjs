// Runs before `npm start` (with --omit=dev: only what running needs) and before `npm test` and the other scripts
// (everything): makes a fresh clone ready, saying so, and is silent when nothing is missing. With --dashboard it also builds
// the dashboard where its sources are new.
// It is the one file that meets whatever Node the machine has, so it uses only what Node 12 can parse.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
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

/** The packages of a lock file by their path in node_modules, without those that are links to workspaces. */
function packagesOf(lockFile) {
  const packages = readJson(lockFile).packages;
  return Object.keys(packages)
    .filter((path) => path.indexOf('node_modules/') !== -1 && packages[path].link !== true)
    .map((path) => ({ ...packages[path], path }));
}

const lockFile = join(root, 'package-lock.json');

/** Whether the packages for development are here already; a start on newer packages then keeps them, up to date. */
function developmentIsInstalled() {
  return existsSync(installationRecord) && packagesOf(installationRecord).some(({ dev }) => dev === true);
}

/** Whether npm finished installing what package-lock.json asks for, with or without what only development needs. */
function packagesAreInstalled(withDevelopment) {
  if (!existsSync(installationRecord)) return false;
  const installed = readJson(installationRecord).packages;
  return packagesOf(lockFile)
    .filter(({ dev }) => withDevelopment || dev !== true)
    .every(({ path, version, integrity, optional }) => {
      // Packages for other platforms are optional and rightly absent.
      if (installed[path] === undefined) return optional === true;
      return installed[path].version === version && installed[path].integrity === integrity;
    });
}

/** Links what package-lock.json knows as a workspace: a new library of this repository needs no installation. */
function linkWorkspaces() {
  const packages = readJson(lockFile).packages;
  for (const path of Object.keys(packages)) {
    const link = join(root, path);
    if (packages[path].link !== true || existsSync(link)) continue;
    const target = join(root, packages[path].resolved);
    mkdirSync(dirname(link), { recursive: true });
    // Windows wants a whole path.
    symlinkSync(process.platform === 'win32' ? target : relative(dirname(link), target), link, 'junction');
  }
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

const program = process.platform === 'win32' ? 'node.exe' : 'node';
/** The Node that npm scripts run on. */
const usedNode = join(modules, 'node', 'bin', program);
/** The package with the Node of this machine, which npm has held against the hash in package-lock.json. */
const nodePackage = [
  process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node',
  process.platform === 'win32' ? 'win' : process.platform,
  process.arch,
].join('-');
const checkedNode = join(modules, nodePackage, 'bin', program);

/** Whether the Node in use is the one that was checked: the same file, or a copy of it. */
function usesCheckedNode() {
  if (!existsSync(usedNode)) return false;
  const used = statSync(usedNode);
  const checked = statSync(checkedNode);
  if (used.ino === checked.ino && used.dev === checked.dev) return true;
  return used.size === checked.size && readFileSync(usedNode).equals(readFileSync(checkedNode));
}

function useCheckedNode() {
  mkdirSync(dirname(usedNode), { recursive: true });
  rmSync(usedNode, { force: true });
  try {
    linkSync(checkedNode, usedNode);
  } catch (_) {
    // Some file systems have no links.
    copyFileSync(checkedNode, usedNode);
  }
}

/** The version of Node that npm scripts will run on, such as `v26.10.0`; empty when it cannot be started. */
function installedNode() {
  const run = spawnSync(usedNode, ['--version'], { encoding: 'utf8' });
  return run.status === 0 ? run.stdout.trim() : '';
}

const machineNode = Number(process.versions.node.split('.')[0]);
if (machineNode < oldestMachineNode) {
  fail(
    `Node ${oldestMachineNode} or later is needed, and this is Node ${process.versions.node}: see https://nodejs.org.`,
  );
}

const withDevelopment = process.argv.indexOf('--omit=dev') === -1 || developmentIsInstalled();

// The package with this machine's Node is optional to npm, and to nobody else.
if (!packagesAreInstalled(withDevelopment) || !existsSync(checkedNode)) {
  process.stdout.write(
    withDevelopment
      ? 'Installing the packages of package-lock.json into node_modules (npm install). It takes a minute, once.\n'
      : 'Installing the packages that running needs into node_modules (npm install). It takes half a minute, once.\n',
  );
  // An interrupted installation may leave half a package, which npm would take for a whole one.
  if (!existsSync(installationRecord)) rmSync(modules, { recursive: true, force: true });
  // Not `npm ci`, which refuses a lock file that lacks optional packages of other platforms: some registries do
  // not carry them. --no-save leaves the lock file as it is. --include=dev because NODE_ENV=production would leave
  // out the tools that `npm test` needs, --include=optional because a machine's settings may leave out Node.
  // --ignore-scripts because no package needs its install script, and that of `node` fetches a program that nothing
  // holds against a hash.
  const wanted = ['--no-save', withDevelopment ? '--include=dev' : '--omit=dev', '--include=optional'];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!npm(['install'].concat(wanted, quiet))) {
    fail('The packages could not be installed: what npm says above is the reason.');
  }
}

linkWorkspaces();

// The Node of package-lock.json takes the place of whatever an install script of the `node` package has fetched.
if (!existsSync(checkedNode)) {
  fail(
    `Node could not be installed: there is no package ${nodePackage} in node_modules. The registry must have it, and npm must not be told to omit optional packages.`,
  );
}
if (!usesCheckedNode()) useCheckedNode();
// npm made no link to a program that was not there yet; without one, scripts would quietly run on the machine's own Node.
if (
  !existsSync(join(modules, '.bin', 'node')) &&
  !npm(['rebuild', 'node', '--ignore-scripts', '--loglevel=error'])
) {
  fail('Node could not be linked into node_modules/.bin: what npm says above is the reason.');
}
const wantedNode = `v${readJson(join(root, 'package.json')).dependencies.node}`;
if (installedNode() !== wantedNode) {
  fail(`Node ${wantedNode.slice(1)} is in node_modules and cannot be started on this machine.`);
}

// By the Node in node_modules, and not by this one, which may be too old for it.
if (process.argv.indexOf('--dashboard') !== -1) {
  const built = spawnSync(usedNode, [join(root, 'scripts', 'build-dashboard.ts')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (built.status !== 0) fail('The dashboard could not be built: what stands above is the reason.');
}
