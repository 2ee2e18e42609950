import {
  type DocumentKind,
  type Fields,
  type IndexedPassage,
  publicKeyOf,
  type Tier,
} from '../domain/passages/passage.ts';
import type { Candidate } from '../domain/ranking/scored-passage.ts';
import { headWeight } from '../domain/ranking/scoring.ts';
import { dotProduct, nearestOf, quantise } from '../domain/ranking/vectors.ts';
import type { KeptRow, Row } from '../domain/rows/row.ts';
import type { Language } from '../domain/text/languages.ts';
import type { Coverage, View } from '../domain/views/view.ts';
import type { WordsAsked } from '../domain/words/vocabulary.ts';
import { IndexDamaged, type IndexDatabase, keptJson } from './index-database.ts';
import { openThesaurus } from './open-thesaurus.ts';
import { readFigures, reversed } from './view-counts.ts';

/** Passages that one search scores: some 20 ms. */
const maxScored = 30_000;
/** Terms that one search looks up. */
const maxTerms = 64;
/** No text is behind it. */
const lastCharacter = '\u{10ffff}';
const languageFigure = 'language ';

const passageColumns = `p.ordinal, p.kept, i.row_key, i.tier, i.kind, i.language, i.said`;

interface PassageRow {
  ordinal: number;
  kept: string;
  row_key: string;
  tier: Tier;
  kind: DocumentKind;
  language: Language;
  said: string;
}

function passageOf(row: PassageRow): IndexedPassage {
  const [headings, text] = keptJson<[string[], string]>(row.kept);
  const { title, fields } = keptJson<{ title: string; fields: Fields }>(row.said);
  const { row_key: rowKey, kind, language, ordinal } = row;
  return { rowKey, title, tier: row.tier, kind, fields, language, ordinal, headings, text };
}

/** The passages of an item that are in any view, in order. */
export function passagesOfItem({ sql }: IndexDatabase, item: number): IndexedPassage[] {
  const rows = sql(
    `SELECT ${passageColumns} FROM passages p JOIN items i ON i.id = p.item WHERE p.item = ? ORDER BY p.ordinal`,
  ).all(item) as unknown as PassageRow[];
  return rows.map(passageOf);
}

/** How much of a view can be searched, by its figures. */
export function coverageOf(figures: ReadonlyMap<string, number>): Coverage {
  const get = (name: string) => figures.get(name) ?? 0;
  const missing = get('skipped') + get('unrecorded');
  return { passages: get('passages') + missing, missing };
}

/** The view of a team that keys of this tier have, as the file is now; to be used within one transaction. */
export function storedView(database: IndexDatabase, tier: Tier): View {
  const { sql } = database;
  const figures = readFigures(database, tier);
  const get = (name: string) => figures.get(name) ?? 0;
  const isIn = `in_${tier} = 1`;

  function frequencyOf(term: string): number {
    const found = sql(`SELECT passages FROM ${tier}_words WHERE word = ?`).get(term);
    return Number(found?.passages ?? 0);
  }

  function wordsWith(
    column: 'word' | 'reversed',
    start: string,
    { least, most, limit }: WordsAsked,
  ): string[] {
    const rows = sql(
      `SELECT word FROM ${tier}_words WHERE ${column} >= ? AND ${column} < ? AND length(word) BETWEEN ? AND ? LIMIT ?`,
    ).all(start, start + lastCharacter, least, most, limit);
    return rows.map(({ word }) => String(word));
  }

  /** The terms to search for, so that few enough passages are scored, and from which passage on. */
  function boundedTerms(terms: readonly string[]): { terms: string[]; from: number } {
    const rarestFirst = terms
      .map((term) => ({ term, frequency: frequencyOf(term) }))
      .filter(({ frequency }) => frequency > 0)
      .sort((left, right) => left.frequency - right.frequency)
      .slice(0, maxTerms);
    const [rarest] = rarestFirst;
    if (rarest === undefined) return { terms: [], from: 0 };
    if (rarest.frequency > maxScored) {
      const last = sql(
        `SELECT rowid FROM ${tier}_terms WHERE ${tier}_terms MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?`,
      ).get(`"${rarest.term}"`, maxScored);
      return { terms: [rarest.term], from: Number(last?.rowid ?? 0) };
    }
    let scored = 0;
    const chosen: string[] = [];
    for (const { term, frequency } of rarestFirst) {
      scored += frequency;
      if (scored > maxScored) break;
      chosen.push(term);
    }
    return { terms: chosen, from: 0 };
  }

  function passages(condition: string, ...values: (string | number)[]): IndexedPassage[] {
    const rows = sql(
      `SELECT ${passageColumns} FROM passages p JOIN items i ON i.id = p.item WHERE p.${isIn} AND ${condition}`,
    ).all(...values) as unknown as PassageRow[];
    return rows.map(passageOf);
  }

  function rowOf({ sourceKey, heading, writerId: _, ...row }: KeptRow): Row {
    return {
      ...row,
      // Of many rows, only few are asked for it.
      get source() {
        const rowKey = publicKeyOf(sourceKey);
        const item = sql(`SELECT said FROM items WHERE row_key = ? AND ${isIn}`).get(sourceKey);
        if (item === undefined) return { rowKey, title: rowKey, heading };
        const { title, fields } = keptJson<{ title: string; fields: Fields }>(item.said);
        return { rowKey, title, heading, ...(fields.isByGuest && { isByGuest: true }) };
      },
    };
  }

  return {
    frequencyOf,
    wordsBeginningWith: (beginning, asked) => wordsWith('word', beginning, asked),
    wordsEndingWith: (end, asked) => wordsWith('reversed', reversed(end), asked),
    statistics: () => ({
      passages: get('passages'),
      items: get('items'),
      averageLength: get('length') / Math.max(1, get('passages')),
      languages: [...figures]
        .filter(([name, number]) => name.startsWith(languageFigure) && number > 0)
        .map(([name]) => name.slice(languageFigure.length) as Language),
      vectors: get('vectors'),
    }),
    thesaurus: openThesaurus,
    candidates(asked, limit) {
      const { terms, from } = boundedTerms(asked);
      if (terms.length === 0) return [];
      const found = sql(
        `SELECT t.rowid AS slot, p.ordinal, p.head, p.body AS text, i.row_key AS rowKey FROM ${tier}_terms t
         JOIN passages p ON p.id = t.rowid JOIN items i ON i.id = p.item
         WHERE ${tier}_terms MATCH ? AND t.rowid >= ? AND t.rank MATCH 'bm25(${headWeight}.0, 1.0)'
         ORDER BY t.rank LIMIT ?`,
      ).all(terms.map((term) => `"${term}"`).join(' OR '), from, limit);
      return found as unknown as Candidate[];
    },
    candidateAt: (slot) =>
      sql(
        `SELECT p.id AS slot, p.ordinal, p.head, p.body AS text, i.row_key AS rowKey
         FROM passages p JOIN items i ON i.id = p.item WHERE p.${isIn} AND p.id = ?`,
      ).get(slot) as unknown as Candidate | undefined,
    passageAt(slot) {
      const [found] = passages('p.id = ?', slot);
      if (found === undefined) throw new IndexDamaged(`no passage ${slot}`);
      return found;
    },
    passageBeside: (slot, ordinal) =>
      passages('p.item = (SELECT item FROM passages WHERE id = ?) AND p.ordinal = ?', slot, ordinal)[0],
    nearest(vector, limit) {
      const wanted = quantise(vector);
      const rows = sql(`SELECT passage, scale, numbers FROM vectors WHERE ${isIn}`);
      const similarities = new Map<number, number>();
      for (const { passage, scale, numbers } of rows.iterate()) {
        const { buffer, byteOffset, byteLength } = numbers as Uint8Array;
        if (byteLength !== vector.length) return undefined;
        const product = dotProduct(new Int8Array(buffer, byteOffset, byteLength), wanted.numbers);
        similarities.set(Number(passage), Number(scale) * product);
      }
      return nearestOf(similarities, limit);
    },
    *rows(kind) {
      const rows = sql(`SELECT kept FROM rows WHERE kind = ? AND ${isIn}`).iterate(kind);
      for (const { kept } of rows) yield rowOf(keptJson<KeptRow>(kept));
    },
    coverage: () => coverageOf(figures),
  };
}
