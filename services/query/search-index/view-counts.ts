import type { Tier } from '../domain/passages/passage.ts';
import type { IndexDatabase } from './index-database.ts';

/** What is counted of a view: figures by their names, and in how many passages each word stands. */
export interface ViewCounts {
  /** Reads the figures; to be called when a change begins. */
  read(): void;
  get(name: string): number;
  set(name: string, number: number): void;
  add(name: string, change: number): void;
  /** Counts a word of one more passage, or of one less. */
  addWord(word: string, change: 1 | -1): void;
  /** Writes what has changed; to be called when a change ends. */
  write(): void;
}

/**
 * Makes the counts of a view. Full-text tables could tell in how many passages a word stands too, but walk all of them for
 * it: 60 ms where 200,000 have the words of a question, against some microseconds.
 */
export function createViewCounts({ sql }: IndexDatabase, view: Tier): ViewCounts {
  let figures = new Map<string, number>();
  let changed = new Set<string>();
  let words = new Map<string, number>();

  function set(name: string, number: number): void {
    figures.set(name, number);
    changed.add(name);
  }

  function add(name: string, change: number): void {
    if (change !== 0) set(name, (figures.get(name) ?? 0) + change);
  }

  /** A word that one passage has takes as much as twenty places of a frequent one. */
  function writeWords(): void {
    const update = sql(`UPDATE ${view}_words SET passages = passages + ? WHERE word = ?`);
    const insert = sql(`INSERT INTO ${view}_words (word, reversed, passages) VALUES (?, ?, ?)`);
    const remove = sql(`DELETE FROM ${view}_words WHERE word = ? AND passages <= 0`);
    for (const [word, change] of words) {
      if (change === 0) continue;
      if (update.run(change, word).changes === 0) {
        insert.run(word, reversed(word), change);
        add('bytes', bytesOfWord(word));
      }
      if (change < 0 && remove.run(word).changes > 0) add('bytes', -bytesOfWord(word));
    }
  }

  return {
    read() {
      figures = readFigures({ sql }, view);
      changed = new Set();
      words = new Map();
    },
    get: (name) => figures.get(name) ?? 0,
    set,
    add,
    addWord(word, change) {
      words.set(word, (words.get(word) ?? 0) + change);
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
