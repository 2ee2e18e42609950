import type { IconName } from '../components/icon.tsx';

/** Something that the palette leads to. */
export interface Entry {
  key: string;
  icon: IconName;
  title: string;
  /** Where it stands, or what else tells it from others. */
  detail: string;
  path: string;
}

/** Entries under one heading. */
export interface EntryGroup {
  heading: string;
  entries: readonly Entry[];
}

/** Returns the entries that have every word in their title or detail, those whose title begins with the first one at first. */
export function entriesFor(entries: readonly Entry[], words: string, limit: number): Entry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ''] = wanted;
  const { begins = [], others = [] } = Object.groupBy(
    entries.filter(({ title, detail }) => {
      const text = `${title} ${detail}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    }),
    ({ title }) => (title.toLowerCase().startsWith(first) ? 'begins' : 'others'),
  );
  return [...begins, ...others].slice(0, limit);
}
