import { hash } from 'node:crypto';
import type { IndexedPassage } from '../passages/passage.ts';

/** Which text of which item a vector stands for. */
export interface EmbeddingPlace {
  rowKey: string;
  /** Digest of the embedded text, see `embeddingDigest`. */
  digest: string;
}

/** A text of an item as a vector. */
export interface StoredEmbedding extends EmbeddingPlace {
  /** The name of the model that made the vector. */
  model: string;
  vector: Float32Array;
}

/**
 * Keeps the vectors of passages by team, item and text: what moves inside its
 * item needs no new one. A text has one vector, the one saved last.
 *
 * Every method throws AppError `unavailable` when the store cannot be reached
 * in time.
 */
export interface EmbeddingStore {
  /** All vectors of these items, in no order. */
  ofItems(teamId: string, rowKeys: readonly string[]): Promise<StoredEmbedding[]>;
  /** Saves vectors durably, in place of those that the same texts had. Can be repeated, by any number of processes. */
  save(teamId: string, embeddings: readonly StoredEmbedding[]): Promise<void>;
  /**
   * Removes the vectors of erased items, and for good what the database keeps of data that was removed from it. To be
   * called after the rows of these items were replaced.
   */
  erase(teamId: string, rowKeys: readonly string[]): Promise<void>;
  /** Removes vectors; nothing happens for one that is not there. */
  remove(teamId: string, places: readonly EmbeddingPlace[]): Promise<void>;
}

/**
 * Long enough to identify the subject. With headings and text it makes 2,400 characters, fewer than models read at
 * once.
 */
const maxTitleLength = 200;
/** 128 bits: no two texts of an item share them by chance. */
const digestLength = 22;

/** Returns the text to embed for a passage: its title and headings, which give it context, then its text. */
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
