import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Files } from './rubric/facts.fixture.ts';

/** A check, or `kind`, and what was found of it. */
type Facts = Readonly<Record<string, string>>;

/**
 * What is known of a public repository: names of files and, of their content, the commands, settings and names of
 * packages that checks look for. No text of theirs is kept.
 */
interface RecordedRepository {
  name: string;
  /** Faults of the scanner were only mended by what the seen half showed. */
  half: 'seen' | 'unseen';
  /** Files of the repository. */
  files: number;
  /** What a reader of the list wrote down before the scan. */
  expected: Facts;
  /** Where the scanner differs. */
  found_instead: Facts;
  level: string;
  /** Names of files by folder, between spaces. */
  paths: Readonly<Record<string, string>>;
  /** Further files by folder and end of name. */
  more: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Facts of content by path; a number is a length. */
  texts: Readonly<Record<string, string | number>>;
}

export interface PublicRepository extends RecordedRepository {
  contents: Files;
}

function contentsOf({ paths, more, texts }: RecordedRepository): Files {
  const named = Object.entries(paths).flatMap(([folder, names]) =>
    names.split(' ').map((name) => (folder === '' ? name : `${folder}/${name}`)),
  );
  const further = Object.entries(more).flatMap(([folder, ends]) =>
    Object.entries(ends).flatMap(([end, count]) =>
      Array.from({ length: count }, (_, at) => `${folder}/${at}${end}`),
    ),
  );
  const contents: Record<string, string> = Object.fromEntries(
    [...named, ...further].map((path) => [path, '']),
  );
  for (const [path, text] of Object.entries(texts)) {
    contents[path] = typeof text === 'number' ? 'x'.repeat(text) : text;
  }
  return contents;
}

/** Forty repositories of many languages and kinds, chosen before any of them was scanned. */
export const publicRepositories: readonly PublicRepository[] = (
  JSON.parse(
    readFileSync(join(import.meta.dirname, 'public-repositories.json'), 'utf8'),
  ) as RecordedRepository[]
).map((recorded) => Object.assign(recorded, { contents: contentsOf(recorded) }));
