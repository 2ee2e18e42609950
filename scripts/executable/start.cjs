// What a single executable runs: puts the package, which is inside, into a folder of the user, once, and starts it from
// there, because Node loads modules and threads from files only.
const { randomUUID } = require('node:crypto');
const { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const { basename, dirname, isAbsolute, join } = require('node:path');
const { getAsset, getAssetKeys } = require('node:sea');

const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
const caches =
  [XDG_CACHE_HOME, LOCALAPPDATA].find((path) => path && isAbsolute(path)) ?? join(homedir(), '.cache');
/** Named by the content: another version never finds the files of this one. */
const folder = join(caches, 'team-memory-service', 'unpacked', getAsset('content', 'utf8'));

/** Writes what is not there yet, or no longer: who cleans a folder for caches may take single files. */
function unpack() {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of [dirname(folder), folder]) assertOwn(path);
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

function writeMissing(name, content) {
  const path = join(folder, name);
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    // Flushed: after a power loss there must be no empty file that looks whole.
    writeFileSync(draft, content(), { flush: true });
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
if (isThere)
  createRequire(join(folder, 'load.cjs'))('./load.cjs')(
    `./bin/${isTms() ? 'tms' : 'team-memory-service'}.js`,
  );
