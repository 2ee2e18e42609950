import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { createThesaurus, type Thesaurus } from '../domain/words/thesaurus.ts';

let opened: Thesaurus | undefined;

/** Returns the thesaurus, with WordNet for general English. The first call reads it: 30 ms, and 2 MB outside the heap. */
export function openThesaurus(): Thesaurus {
  opened ??= createThesaurus(
    brotliDecompressSync(readFileSync(new URL('../domain/words/thesaurus.br', import.meta.url))),
  );
  return opened;
}
