// What a single executable runs: puts the package, which is inside, into a folder of the user, once, and starts it from
// there, because Node loads modules and threads from files only.
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const { basename, dirname, join } = require('node:path');
const { getAsset, getAssetKeys } = require('node:sea');

const caches = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), '.cache');
/** Named by the content: another version never finds the files of this one. */
const folder = join(caches, 'team-memory-service', 'unpacked', getAsset('content', 'utf8'));

function unpack() {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(`${folder}.`);
  for (const name of getAssetKeys()) {
    mkdirSync(dirname(join(draft, name)), { recursive: true });
    // Flushed: after a power loss there must be no empty file in a folder that looks whole.
    writeFileSync(join(draft, name), new Uint8Array(getAsset(name)), { flush: true });
  }
  writeFileSync(join(draft, 'load.cjs'), 'module.exports = (file) => import(file);\n', { flush: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another start was quicker.
    if (!existsSync(folder)) throw error;
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
  if (!existsSync(folder)) unpack();
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
