import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { createThesaurus, type Thesaurus } from '../domain/words/thesaurus.ts';

let opened: Thesaurus | undefined;

/** The thesaurus, with WordNet for general English. The first call reads it, in some 30 ms; it takes 2 MB outside the heap. */
export function openThesaurus(): Thesaurus {
  opened ??= createThesaurus(
    brotliDecompressSync(readFileSync(new URL('../domain/words/thesaurus.br', import.meta.url))),
  );
  return opened;
}
