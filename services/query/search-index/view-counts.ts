import type { Tier } from '../domain/passages/passage.ts';
import type { IndexDatabase } from './index-database.ts';

/** Words of an index being built that are known to have their rows, some megabytes; a row that is looked for again costs little. */
const maxMet = 100_000;

/** What is counted of a view: figures by their names, and in how many passages each word stands. */
export interface ViewCounts {
  /**
   * Reads the figures; to be called when a change begins. While an index is being built (`isBuilding`), nobody asks how
   * frequent words are, so that they get rows but are not counted until `countWords`.
   */
  read(options: { isBuilding: boolean }): void;
  get(name: string): number;
  set(name: string, number: number): void;
  add(name: string, change: number): void;
  /** Counts the words of one more passage, or of one less. */
  addWords(terms: readonly string[], change: 1 | -1): void;
  /** Counts all words by the full-text table, once an index has been built: a row for each, not one for each page. */
  countWords(): void;
  /** Writes what has changed; to be called when a change ends. */
  write(): void;
  /** To be called when a change was rolled back: its words have no rows. */
  undo(): void;
}

/**
 * Makes the counts of a view. Full-text tables could tell in how many passages a word stands too, but walk all of them for
 * it: 60 ms where 200,000 have the words of a question, against some microseconds.
 */
export function createViewCounts({ sql }: IndexDatabase, view: Tier): ViewCounts {
  let figures = new Map<string, number>();
  let changed = new Set<string>();
  let words = new Map<string, number>();
  let isBuilding = false;
  const met = new Set<string>();

  function set(name: string, number: number): void {
    figures.set(name, number);
    changed.add(name);
  }

  function add(name: string, change: number): void {
    if (change !== 0) set(name, (figures.get(name) ?? 0) + change);
  }

  function addWords(terms: readonly string[], change: 1 | -1): void {
    if (isBuilding) noteWords(terms);
    else for (const word of new Set(terms)) words.set(word, (words.get(word) ?? 0) + change);
  }

  function noteWords(terms: readonly string[]): void {
    for (const word of terms) {
      if (met.has(word)) continue;
      if (met.size >= maxMet) met.clear();
      met.add(word);
      insertWord(word, 0);
    }
  }

  /** A word that one passage has takes as much as twenty places of a frequent one. */
  function insertWord(word: string, passages: number): void {
    const insert = sql(`INSERT OR IGNORE INTO ${view}_words (word, reversed, passages) VALUES (?, ?, ?)`);
    if (insert.run(word, reversed(word), passages).changes > 0) add('bytes', bytesOfWord(word));
  }

  function removeUnused(condition: string, ...values: string[]): void {
    const remove = sql(`DELETE FROM ${view}_words WHERE passages <= 0 AND ${condition} RETURNING word`);
    for (const { word } of remove.all(...values)) add('bytes', -bytesOfWord(String(word)));
  }

  function writeWords(): void {
    const update = sql(`UPDATE ${view}_words SET passages = passages + ? WHERE word = ?`);
    for (const [word, change] of words) {
      if (change !== 0 && update.run(change, word).changes === 0) insertWord(word, change);
      if (change < 0) removeUnused('word = ?', word);
    }
  }

  return {
    read(options) {
      ({ isBuilding } = options);
      figures = readFigures({ sql }, view);
      changed = new Set();
      words = new Map();
    },
    get: (name) => figures.get(name) ?? 0,
    set,
    add,
    addWords,
    countWords() {
      sql(
        `INSERT INTO ${view}_words (word, reversed, passages) SELECT term, '', doc FROM ${view}_vocabulary WHERE true
         ON CONFLICT DO UPDATE SET passages = excluded.passages`,
      ).run();
      removeUnused('true');
      met.clear();
    },
    undo() {
      met.clear();
    },
    write() {
      writeWords();
      const putFigure = sql('INSERT OR REPLACE INTO counts (view, name, number) VALUES (?, ?, ?)');
      for (const name of changed) putFigure.run(view, name, figures.get(name) ?? 0);
    },
  };
}

function bytesOfWord({ length }: string): number {
  return 80 + 5 * length;
}

/** The figures of a view by their names. */
export function readFigures({ sql }: Pick<IndexDatabase, 'sql'>, view: Tier): Map<string, number> {
  const rows = sql('SELECT name, number FROM counts WHERE view = ?').all(view);
  return new Map(rows.map(({ name, number }) => [String(name), Number(number)]));
}

/** The characters of a word in reverse, so that its end can be looked up. */
export function reversed(word: string): string {
  return [...word].reverse().join('');
}
