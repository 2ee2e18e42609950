import { hash } from 'node:crypto';
import type { IndexedPassage } from '../passages/passage.ts';

/** Enough to tell what an item is about. With headings and text it makes 2,400 characters, below what models read at once. */
const maxTitleLength = 200;
/** 128 bits: no two texts of an item share them by chance. */
const digestLength = 22;

/** What is embedded of a passage: its title and headings, which it cannot be understood without, then its text. */
export function embeddingText({ title, headings, text }: IndexedPassage): string {
  // Documents often open with their title as a heading: it is not to count twice.
  const head = [title.slice(0, maxTitleLength), ...headings.filter((heading) => heading !== title)];
  // A lone surrogate is no text: servers refuse it, or replace it each in its own way.
  return [...head, text].join('\n').toWellFormed();
}

/** By what an embedded text is recognised: 22 characters of base64url, of its SHA-256. */
export function embeddingDigest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, digestLength);
}
