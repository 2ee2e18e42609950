import type { BlockArena } from './block-arena.ts';

/** How the bytes of a text are to be read; told by two bits of the block's first word, beside their number. */
const latin1 = 0;
const utf8 = 1;
const utf16 = 2;
const encodings = ['latin1', 'utf8', 'utf16le'] as const;
const encodingBits = 2;

const beyondLatin1 = /[\u0100-\uffff]/;

/** A text as it will stand in a block. */
export interface EncodedText {
  text: string;
  encoding: number;
  bytes: number;
  /** Words of the block. */
  words: number;
}

/** Finds the shortest encoding that keeps a text as it is, lone surrogates included. */
export function encodeText(text: string): EncodedText {
  let encoding = latin1;
  let bytes = text.length;
  if (beyondLatin1.test(text)) {
    const asUtf8 = Buffer.byteLength(text, 'utf8');
    const isShorter = asUtf8 < 2 * text.length && text.isWellFormed();
    encoding = isShorter ? utf8 : utf16;
    bytes = isShorter ? asUtf8 : 2 * text.length;
  }
  return { text, encoding, bytes, words: 1 + Math.ceil(bytes / 4) };
}

/** Writes a text into a new block, which must have been reserved. */
export function writeText(arena: BlockArena, { text, encoding, bytes, words }: EncodedText): number {
  const block = arena.allocate(words);
  const chunk = arena.chunkOf(block);
  const offset = arena.offsetOf(block);
  chunk.words[offset] = (bytes << encodingBits) | encoding;
  chunk.bytes.write(text, 4 * (offset + 1), bytes, encodings[encoding]);
  return block;
}

export function readText(arena: BlockArena, block: number): string {
  const chunk = arena.chunkOf(block);
  const offset = arena.offsetOf(block);
  const header = chunk.words[offset] ?? 0;
  const start = 4 * (offset + 1);
  const encoding = encodings[header & (2 ** encodingBits - 1)];
  return chunk.bytes.toString(encoding, start, start + (header >>> encodingBits));
}

/** Frees the block of a text. */
export function freeText(arena: BlockArena, block: number): void {
  const header = arena.chunkOf(block).words[arena.offsetOf(block)] ?? 0;
  arena.free(block, 1 + Math.ceil((header >>> encodingBits) / 4));
}
