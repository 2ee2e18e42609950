import type { TaskEntry } from './task-entries.ts';
import { normalisedTitle, type TitleProfile, titleProfile, titleSimilarity } from './title-similarity.ts';

/** From this similarity on, two titles are the same task edited, wherever it stands. */
export const alikeAnywhere = 0.75;
/** From this one on, if besides the neighbours or the attributes are the same. */
export const alikeInPlace = 0.5;
/** How far apart in order two leftovers may be; bounds the comparisons of long logs. */
const orderWindow = 25;

interface Candidate {
  older: number;
  newer: number;
  similarity: number;
}

/**
 * Finds which entries of a text's new version are which of its old, or of
 * those that it once had: the index of the old one for each new one, those of
 * `gone` counted on after `old`, undefined for entries that are new. Equal
 * normalised titles first, in order; of what is left of `old` the most similar
 * pairs, by the thresholds above, the closer in order first.
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

/** Whether an entry has a title that none of the old ones is left for. */
export function hasNewTitle(old: readonly TaskEntry[], now: readonly TaskEntry[]): boolean {
  return matchEqualTitles(old, now).includes(undefined);
}

/** As `matchTasks` by equal normalised titles alone, which takes time linear in their length. */
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
  // A title of signs alone has no words to compare.
  return normalisedTitle(title) || title;
}

/** Whether the entry before, or after, is the same task in both; both being first or last counts, too. */
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

/** Owner, day and tags as one text; empty where there is none of them. */
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
