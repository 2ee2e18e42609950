// Imported into the program before its own modules: the machine has started anew, as it does after a power loss.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { readFileSync } = fs;
const thisStart = randomUUID();
fs.readFileSync = ((path: unknown, ...rest: []) =>
  path === '/proc/sys/kernel/random/boot_id'
    ? thisStart
    : readFileSync(path as string, ...rest)) as typeof readFileSync;
syncBuiltinESMExports();
