import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';

// Takes the place of gateway/public/render-docs.ts in the package, where the page was laid out before.

parentPort?.postMessage(
  deserialize(brotliDecompressSync(readFileSync(new URL('./docs-page.br', import.meta.url)))),
);
