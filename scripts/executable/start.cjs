// What a single executable runs: puts the package, which is inside, into a folder of the user, once, and starts it from
// there, because Node loads modules and threads from files only.
const { randomUUID } = require('node:crypto');
const {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} = require('node:fs');
const { createRequire, enableCompileCache } = require('node:module');
const { homedir } = require('node:os');
const { basename, dirname, isAbsolute, join } = require('node:path');
const { getAsset, getAssetKeys } = require('node:sea');

const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
const caches =
  [XDG_CACHE_HOME, LOCALAPPDATA].find((path) => path && isAbsolute(path)) ?? join(homedir(), '.cache');
const versions = join(caches, 'team-memory-service', 'unpacked');
/** Named by the content: another version never finds the files of this one. */
const folder = join(versions, getAsset('content', 'utf8'));
/** A version that did not run for so long goes. */
const keptMs = 30 * 24 * 60 * 60 * 1000;
const touchIntervalMs = 60 * 60 * 1000;

/** Writes what is not there yet, or no longer: who cleans a folder for caches may take single files. */
function unpack() {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of [caches, dirname(versions)]) assertKept(path);
  for (const path of [versions, folder]) assertOwn(path);
  for (const name of getAssetKeys()) writeMissing(name, () => new Uint8Array(getAsset(name)));
  writeMissing('load.cjs', () => 'module.exports = (file) => import(file);\n');
}

/** What is in the folder is run, so nobody else may write there. On Windows nobody else may write to a user's caches. */
function assertOwn(path) {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) throw new Error(`${path} is no folder.`);
  if (process.geteuid !== undefined && (stats.uid !== process.geteuid() || (stats.mode & 0o022) !== 0))
    throw new Error(`others may write to ${path}.`);
}

/** Nobody else may put another folder in the place of `path`, or of what is in it. A link is as good as who made it. */
function assertKept(path) {
  if (process.geteuid === undefined) return;
  const owners = [lstatSync(path).uid, statSync(path).uid];
  const isForeign = owners.some((uid) => uid !== 0 && uid !== process.geteuid());
  // Everybody writes to /tmp, whose sticky bit keeps them from what others have there.
  if (isForeign || (statSync(path).mode & 0o1002) === 0o002) throw new Error(`others may write to ${path}.`);
}

/** Whatever runs touches its own folder each hour, and removes those that nothing touched for long. */
function removeOtherVersions() {
  touch();
  setInterval(touch, touchIntervalMs).unref();
  try {
    for (const path of readdirSync(versions).map((name) => join(versions, name)))
      if (lstatSync(path).mtimeMs < Date.now() - keptMs) rmSync(path, { recursive: true, force: true });
  } catch {
    // Windows removes no file in use; another start removes the same ones; nobody removes on a disk that is read-only.
  }
}

function touch() {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // Somebody cleaned the folder, or the disk is read-only.
  }
}

function writeMissing(name, content) {
  const path = join(folder, name);
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    // Flushed: after a power loss there must be no empty file that looks whole.
    writeFileSync(draft, content(), { flush: true, mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    // Another start was quicker, and Windows replaces no file in use.
    if (!existsSync(path)) throw error;
  }
}

/** `tms` is the name of the file or of a link to it, or the first argument. */
function isTms() {
  if (/^tms(\.exe)?$/i.test(basename(process.argv[1] ?? ''))) return true;
  if (process.argv[2] !== 'tms') return false;
  process.argv.splice(2, 1);
  return true;
}

let isThere = false;
try {
  unpack();
  isThere = true;
} catch (error) {
  process.stderr.write(
    `The program cannot be unpacked into ${folder}, see XDG_CACHE_HOME: ${error.message}\n`,
  );
  process.exitCode = 1;
}
if (isThere) {
  removeOtherVersions();
  // Before the package names a folder that nobody empties.
  enableCompileCache(join(folder, 'compiled'));
  createRequire(join(folder, 'load.cjs'))('./load.cjs')(
    `./bin/${isTms() ? 'tms' : 'team-memory-service'}.js`,
  );
}
