import type { TaskEntry } from './task-entries.ts';

/** From this similarity on, two titles are the same task, edited, wherever it stands. */
export const alikeAnywhere = 0.75;
/** From this similarity on they are, if also a neighbour or the attributes are the same. */
export const alikeInPlace = 0.5;
/** How far apart in order two unmatched entries may be; bounds the comparisons of long logs. */
const orderWindow = 25;

interface Candidate {
  older: number;
  newer: number;
  similarity: number;
}

/**
 * Matches the entries of a text's new version with those of its old version and with entries that are `gone`. Returns
 * for each new entry the index of the old one, where `gone` continues the count of `old`; undefined for entries that are
 * new. Equal normalised titles match first, in order; then the most similar pairs of the rest of `old`, by the
 * thresholds above, those closer in order first.
 */
export function matchTasks(
  old: readonly TaskEntry[],
  now: readonly TaskEntry[],
  gone: readonly TaskEntry[],
): (number | undefined)[] {
  const titles = { old: old.map(normalised), now: now.map(normalised) };
  const matches = matchEqualTitles([...old, ...gone], now);
  const taken = new Set(matches);
  const leftOld = [...old.keys()].filter((index) => !taken.has(index));
  const leftNow = [...now.keys()].filter((index) => matches[index] === undefined);
  const profiles = {
    old: new Map(leftOld.map((index) => [index, titleProfile(titles.old[index] ?? '')])),
    now: new Map(leftNow.map((index) => [index, titleProfile(titles.now[index] ?? '')])),
  };
  const attributes = { old: old.map(attributesOf), now: now.map(attributesOf) };
  const candidates: Candidate[] = [];
  for (const [order, newer] of leftNow.entries()) {
    const from = Math.max(0, order - orderWindow);
    for (const older of leftOld.slice(from, order + orderWindow + 1)) {
      const similarity = titleSimilarity(
        profiles.old.get(older) as TitleProfile,
        profiles.now.get(newer) as TitleProfile,
      );
      const inPlace = () =>
        hasSameNeighbour(matches, older, newer, old.length) ||
        (attributes.old[older] !== '' && attributes.old[older] === attributes.now[newer]);
      if (similarity >= alikeAnywhere || (similarity >= alikeInPlace && inPlace())) {
        candidates.push({ older, newer, similarity });
      }
    }
  }
  return matchMostSimilar(candidates, matches);
}

/** Whether some entry has a title that is not among the old ones, or there more often. */
export function hasNewTitle(old: readonly TaskEntry[], now: readonly TaskEntry[]): boolean {
  return matchEqualTitles(old, now).includes(undefined);
}

/** Does what `matchTasks` does, by equal normalised titles alone, in time linear in their length. */
export function matchEqualTitles(
  old: readonly TaskEntry[],
  now: readonly TaskEntry[],
): (number | undefined)[] {
  const waiting = new Map<string, number[]>();
  for (const [index, entry] of old.entries()) waiting.getOrInsert(normalised(entry), []).push(index);
  for (const indexes of waiting.values()) indexes.reverse();
  return now.map((entry) => waiting.get(normalised(entry))?.pop());
}

function normalised({ title }: TaskEntry): string {
  // A title of signs alone has no words to compare, so it is compared as it is.
  return normalisedTitle(title) || title;
}

/** Whether the entry before or after is the same task in both versions; both being first, or last, counts too. */
function hasSameNeighbour(
  matches: readonly (number | undefined)[],
  older: number,
  newer: number,
  oldLength: number,
): boolean {
  const isLast = newer === matches.length - 1;
  const isSameBefore = (newer === 0 ? -1 : matches[newer - 1]) === older - 1;
  return isSameBefore || (older === oldLength - 1 ? isLast : matches[newer + 1] === older + 1);
}

/** Returns owner, day and tags as one text; empty if there are none. */
function attributesOf({ owner, due, tags }: TaskEntry): string {
  return owner === null && due === null && tags.length === 0 ? '' : JSON.stringify([owner, due, tags]);
}

function matchMostSimilar(candidates: Candidate[], matches: (number | undefined)[]): (number | undefined)[] {
  const distance = ({ older, newer }: Candidate) => Math.abs(older - newer);
  candidates.sort((a, b) => b.similarity - a.similarity || distance(a) - distance(b));
  const taken = new Set(matches);
  for (const { older, newer } of candidates) {
    if (matches[newer] !== undefined || taken.has(older)) continue;
    matches[newer] = older;
    taken.add(older);
  }
  return matches;
}

/** Returns a title for comparison: one case, one form of each letter, words only. */
export function normalisedTitle(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A title prepared for many comparisons: each pair of neighbouring characters as a number, lowest first. */
export type TitleProfile = Uint32Array;

/** Returns the character pairs of a normalised title. */
export function titleProfile(normalised: string): TitleProfile {
  const text = ` ${normalised} `;
  const pairs = new Uint32Array(text.length - 1);
  for (let index = 0; index < pairs.length; index += 1) {
    pairs[index] = text.charCodeAt(index) * 0x10000 + text.charCodeAt(index + 1);
  }
  return pairs.sort();
}

/**
 * Returns how similar two titles are, 0 to 1: the Sørensen-Dice coefficient of their character pairs, which tolerates
 * moved words and small corrections.
 */
export function titleSimilarity(a: TitleProfile, b: TitleProfile): number {
  let shared = 0;
  for (let inA = 0, inB = 0; inA < a.length && inB < b.length; ) {
    const difference = (a[inA] as number) - (b[inB] as number);
    if (difference === 0) shared += 1;
    if (difference <= 0) inA += 1;
    if (difference >= 0) inB += 1;
  }
  return (2 * shared) / (a.length + b.length);
}
