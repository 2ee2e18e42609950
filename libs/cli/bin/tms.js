#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: the program itself needs the newer one that npm installed. This starts the
// program, or, where it runs on another Node, finds that one and hands everything over. Either keeps what Node compiled.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = dirname(fileURLToPath(import.meta.url));

/** Looks where npm puts packages, from this folder upward: workspaces keep them at the top. */
function findNode(folder) {
  for (const name of ['node', 'node.exe']) {
    const candidate = join(folder, 'node_modules', 'node', 'bin', name);
    if (existsSync(candidate)) return candidate;
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : findNode(parent);
}

const node = findNode(bin);
if (node === undefined) {
  process.stderr.write('tms: its own Node is not installed; run npm install first.\n');
  process.exit(1);
}

const modules = join(dirname(node), '..', '..');
const cache = join(modules, '.cache', 'node');

if (
  process.versions.node === JSON.parse(readFileSync(join(modules, 'node', 'package.json'), 'utf8')).version
) {
  nodeModule.enableCompileCache(cache);
  await import('../src/main.ts');
} else {
  handOver();
}

function handOver() {
  const child = spawn(node, [join(bin, '..', 'src', 'main.ts'), ...process.argv.slice(2)], {
    env: { NODE_COMPILE_CACHE: cache, ...process.env },
    stdio: 'inherit',
  });
  // Ctrl-C reaches both processes; this one waits so that the program can end its work.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`tms: cannot start ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0));
  });
}
