#!/usr/bin/env node
// Starts the bundled program. What Node has compiled once is kept, in a folder of the user: compiled code that others
// could write would be run.
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

const [first, ...others] = process.argv.slice(2);
if ((first === '--version' || first === '-V') && others.length === 0) {
  // Scripts ask this often, and nothing has to be loaded to answer it.
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const { version, gitHead } = manifest;
  process.stdout.on('error', () => process.exit(141));
  process.stdout.write(gitHead ? `${version}+${gitHead.slice(0, 12)}\n` : `${version}\n`);
} else {
  const caches = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), '.cache');
  // Node 20 has no such cache, and a folder that cannot be written is no reason to stop.
  nodeModule.enableCompileCache?.(join(caches, 'tms', 'compiled'));
  await import('../dist/main.js');
}
