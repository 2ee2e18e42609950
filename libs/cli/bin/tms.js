#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: the program itself needs the newer
// one that npm installed, so this finds it and hands everything over.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
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

const child = spawn(node, [join(bin, '..', 'src', 'main.ts'), ...process.argv.slice(2)], {
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
