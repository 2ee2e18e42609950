import { tiers } from '@teammemory/vocabulary/tier.ts';
import type { ProjectPage, ProjectSlugs } from '../domain/index/index-host.ts';
import { nameOfItem } from '../domain/index/item-lists.ts';
import {
  documentKey,
  type ItemPassages,
  noFields,
  type Passage,
  type Tier,
} from '../domain/passages/passage.ts';
import { type AnalyzedPassage, analyzePassage, textsOfItem } from '../domain/ranking/analyzed-passage.ts';
import { headWeight } from '../domain/ranking/scoring.ts';
import { projectDocument, projectRow, type RowChange } from '../domain/rows/row.ts';
import { type IndexDatabase, keptJson } from './index-database.ts';
import { createViewCounts, type ViewCounts } from './view-counts.ts';

/** How many bytes the views of one team may take, each with a limit of its own. */
export type ViewLimits = Record<Tier, number>;

/** What a passage, an item and a row take beside their texts, about. */
const bytesPerPassage = 200;
const bytesPerItem = 300;
const bytesPerCheck = 100;
const bytesPerRow = 200;
const bytesPerVector = 40;
/** Passages leave the rest to the records of items, so that it is known what is not indexed. */
const partForPassages = 15 / 16;
/** Rows may take this part of a view, so that no log of tasks keeps passages out, nor a question for a list busy. */
const partForRows = 1 / 8;
/** An index that lacks passages is built anew when no more than this is left of what it had. */
const partWorthRebuilding = 3 / 4;

/** Writes the index of one team. All of it is to be called within `write`. */
export interface TeamIndex {
  /**
   * Does work as one change of the file: all of it is there then, or nothing. While the index is being built, words are
   * not counted until `ViewCounts.countWords`.
   */
  write<Result>(work: () => Result, options?: { isBuilding: boolean }): Result;
  /** Takes over an item's present passages in place of those it had; nothing happens for a state that is known. */
  applyItem(item: ItemPassages): void;
  /** Keeps a task or decision in place of what was kept of it, or forgets it. */
  applyRow(change: RowChange): void;
  /** Takes over projects in place of what was known of them. */
  applyProjects(page: ProjectPage): void;
  /** Forgets all projects but these. */
  keepProjects(all: ProjectSlugs): void;
  /** Removes an item with its passages. */
  removeItem(rowKey: string): void;
  /** Removes the vector of a passage, if it has one. */
  removeVector(passage: number): void;
  /** Whether a view has room for so many bytes more. */
  hasRoom(tier: Tier, bytes: number): boolean;
  counts: Record<Tier, ViewCounts>;
  /** Whether so much was removed since something found no room that the index is worth building anew. */
  hasRoomAgain(): boolean;
}

/** An item as it is kept. */
interface KeptItem {
  id: number;
  seq: number;
  language: string;
  said: string;
  name: string | null;
  check_by: string | null;
  writer: string | null;
  in_team: number;
  in_external: number;
  skipped_team: number;
  skipped_external: number;
}

const flag = (isSo: boolean) => (isSo ? 1 : 0);

/** Makes the writer of a file. With `embeds` it remembers which items need vectors. */
export function createTeamIndex(
  database: IndexDatabase,
  { limits, embeds = false }: { limits: ViewLimits; embeds?: boolean },
): TeamIndex {
  const { sql } = database;
  const counts = {
    team: createViewCounts(database, 'team'),
    external: createViewCounts(database, 'external'),
  };

  function write<Result>(work: () => Result, options = { isBuilding: false }): Result {
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const tier of tiers) counts[tier].read(options);
      const result = work();
      for (const tier of tiers) counts[tier].write();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk has ended the transaction already.
      if (database.isInTransaction()) database.exec('ROLLBACK');
      for (const tier of tiers) counts[tier].undo();
      throw error;
    }
  }

  function removePassages(item: number): void {
    for (const row of sql(
      'SELECT id, kept, head, body, in_team, in_external FROM passages WHERE item = ?',
    ).all(item)) {
      const { id, kept, head, body, in_team, in_external } = row as unknown as KeptPassage;
      const of = { team: in_team, external: in_external };
      for (const tier of tiers) {
        if (of[tier] === 0) continue;
        sql(`INSERT INTO ${tier}_terms (${tier}_terms, rowid, head, body) VALUES ('delete', ?, ?, ?)`).run(
          id,
          head,
          body,
        );
        countPassage(tier, { kept, head: termsIn(head), text: termsIn(body) }, -1);
      }
      removeVector(id);
    }
    if (counts.team.get('vectors') === 0) counts.team.set('dimension', 0);
    sql('DELETE FROM passages WHERE item = ?').run(item);
  }

  function removeVector(passage: number): void {
    const vector = sql('DELETE FROM vectors WHERE passage = ? RETURNING in_team, in_external').get(passage);
    if (vector === undefined) return;
    const bytes = bytesOfVector(counts.team.get('dimension'));
    for (const tier of tiers) {
      counts[tier].add('vectors', -Number(vector[`in_${tier}`]));
      counts[tier].add('bytes', -Number(vector[`in_${tier}`]) * bytes);
    }
  }

  function countPassage(
    tier: Tier,
    { kept, head, text }: AnalyzedPassage & { kept: string },
    change: 1 | -1,
  ): void {
    const ofView = counts[tier];
    ofView.add('passages', change);
    ofView.add('length', change * (text.length + headWeight * head.length));
    ofView.add('bytes', change * bytesOfPassage(kept, head, text));
    ofView.addWords([...head, ...text], change);
  }

  function removeItem(rowKey: string): void {
    const known = find(rowKey);
    if (known === undefined) return;
    removePassages(known.id);
    const isIn = { team: known.in_team, external: known.in_external };
    const skipped = { team: known.skipped_team, external: known.skipped_external };
    for (const tier of tiers) {
      counts[tier].add('skipped', -skipped[tier]);
      if (isIn[tier] === 0) continue;
      counts[tier].add('bytes', -bytesOfItem(rowKey, known));
      counts[tier].add('items', -1);
      counts[tier].add(`language ${known.language}`, -1);
    }
    sql('DELETE FROM items WHERE id = ?').run(known.id);
  }

  function find(rowKey: string): KeptItem | undefined {
    return sql('SELECT * FROM items WHERE row_key = ?').get(rowKey) as KeptItem | undefined;
  }

  function hasRoom(tier: Tier, bytes: number, part = partForPassages): boolean {
    return counts[tier].get('bytes') + bytes <= part * limits[tier];
  }

  function applyItem(item: ItemPassages): void {
    const { rowKey, seq, tier, kind = 'item', title, fields = noFields, passages, writerId } = item;
    const { checkBy } = fields;
    const known = find(rowKey);
    if (known !== undefined && known.seq >= seq) return;
    removeItem(rowKey);
    const isGone = passages.length === 0;
    if (isGone && !embeds) return;
    const kept = {
      said: JSON.stringify({ title, fields }),
      name: isGone || kind !== 'item' ? null : nameOfItem(title, rowKey),
      check_by: checkBy ?? null,
      writer: checkBy === undefined ? null : (writerId ?? null),
    };
    const seeing = tiers.filter((each) => each === 'team' || (tier === 'external' && !isGone));
    const having = seeing.filter((each) => hasRoom(each, bytesOfItem(rowKey, kept), 1));
    for (const each of seeing) if (!having.includes(each)) lack(each, 'unrecorded', passages.length);
    if (having.length === 0) return;
    const texts = textsOfItem(item);
    for (const each of having) {
      counts[each].add('bytes', bytesOfItem(rowKey, kept));
      counts[each].add('items', 1);
      counts[each].add(`language ${texts.language}`, 1);
    }
    const isIn = (each: Tier) => flag(having.includes(each));
    const id = Number(
      sql(`INSERT INTO items (row_key, seq, tier, kind, language, said, name, check_by, writer, in_team, in_external,
             skipped_team, skipped_external, waits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?)`).run(
        rowKey,
        seq,
        tier,
        kind,
        texts.language,
        kept.said,
        kept.name,
        kept.check_by,
        kept.writer,
        isIn('team'),
        isIn('external'),
        flag(embeds),
      ).lastInsertRowid,
    );
    const skipped = { team: 0, external: 0 };
    for (const passage of passages) {
      const { without } = addPassage(id, passage, { analyzed: analyzePassage(texts, passage), having });
      for (const each of without) skipped[each] += 1;
    }
    for (const each of tiers) if (skipped[each] > 0) lack(each, 'skipped', skipped[each]);
    if (skipped.team + skipped.external > 0)
      sql('UPDATE items SET skipped_team = ?, skipped_external = ? WHERE id = ?').run(
        skipped.team,
        skipped.external,
        id,
      );
  }

  /** Adds a passage to the views that have its item, as far as they have room; returns those that have not. */
  function addPassage(
    item: number,
    { ordinal, headings, text }: Passage,
    { analyzed, having }: { analyzed: AnalyzedPassage; having: readonly Tier[] },
  ): { without: readonly Tier[] } {
    const kept = JSON.stringify([headings, text]);
    const bytes = bytesOfPassage(kept, analyzed.head, analyzed.text);
    const fitting = having.filter((each) => hasRoom(each, bytes));
    const without = having.filter((each) => !fitting.includes(each));
    if (fitting.length === 0) return { without };
    const [head, body] = [analyzed.head.join(' '), analyzed.text.join(' ')];
    const isIn = (each: Tier) => flag(fitting.includes(each));
    const { lastInsertRowid: id } = sql(
      'INSERT INTO passages (item, ordinal, kept, head, body, in_team, in_external) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ).run(item, ordinal, kept, head, body, isIn('team'), isIn('external'));
    for (const each of fitting) {
      sql(`INSERT INTO ${each}_terms (rowid, head, body) VALUES (?, ?, ?)`).run(id, head, body);
      countPassage(each, { ...analyzed, kept }, 1);
    }
    return { without };
  }

  /** Counts what found no room, and notes how much there was then. */
  function lack(tier: Tier, name: 'skipped' | 'unrecorded', number: number): void {
    counts[tier].add(name, number);
    counts[tier].set('bytes when full', counts[tier].get('bytes'));
  }

  function applyRow(change: RowChange): void {
    const { kind, id } = change;
    const known = sql('DELETE FROM rows WHERE kind = ? AND id = ? RETURNING kept, in_team, in_external').get(
      kind,
      id,
    ) as Pick<KeptPassage, 'kept' | 'in_team' | 'in_external'> | undefined;
    if (known !== undefined) {
      const isIn = { team: known.in_team, external: known.in_external };
      for (const tier of tiers) countRow(tier, known.kept, -isIn[tier]);
    }
    if ('isGone' in change) return;
    const kept = JSON.stringify(change);
    const seeing = tiers.filter((each) => each === 'team' || change.tier === 'external');
    const fits = (each: Tier) =>
      hasRoom(each, bytesPerRow + kept.length) &&
      counts[each].get('bytes of rows') + kept.length <= partForRows * limits[each];
    const fitting = seeing.filter(fits);
    for (const each of seeing) if (!fitting.includes(each)) lack(each, 'unrecorded', 1);
    if (fitting.length === 0) return;
    for (const each of fitting) countRow(each, kept, 1);
    sql('INSERT INTO rows (kind, id, kept, in_team, in_external) VALUES (?, ?, ?, ?, ?)').run(
      kind,
      id,
      kept,
      flag(fitting.includes('team')),
      flag(fitting.includes('external')),
    );
  }

  function countRow(tier: Tier, { length }: string, change: number): void {
    counts[tier].add('bytes', change * (bytesPerRow + length));
    counts[tier].add('bytes of rows', change * length);
  }

  return {
    write,
    applyItem,
    applyRow,
    removeItem,
    removeVector,
    hasRoom,
    counts,
    applyProjects({ version, projects }) {
      for (const project of projects) {
        const known = find(documentKey('project', project.slug));
        if (known !== undefined && keptJson<{ title: string }>(known.said).title === project.name) continue;
        applyItem(projectDocument(project, version));
        applyRow(projectRow(project));
      }
    },
    keepProjects({ version, slugs }) {
      const kept = new Set(slugs.map((slug) => documentKey('project', slug)));
      for (const { row_key } of sql("SELECT row_key FROM items WHERE kind = 'project'").all()) {
        const rowKey = String(row_key);
        if (kept.has(rowKey)) continue;
        const slug = rowKey.slice(documentKey('project', '').length);
        applyRow({ kind: 'project', id: slug, isGone: true });
        applyItem(projectDocument({ slug }, version));
      }
    },
    hasRoomAgain: () =>
      tiers.some((tier) => {
        const { get } = counts[tier];
        const isMissing = get('skipped') + get('unrecorded') > 0;
        return isMissing && get('bytes') < partWorthRebuilding * get('bytes when full');
      }),
  };
}

/** A passage as it is kept. */
interface KeptPassage {
  id: number;
  item: number;
  ordinal: number;
  kept: string;
  head: string;
  body: string;
  in_team: number;
  in_external: number;
}

function termsIn(kept: string): string[] {
  return kept === '' ? [] : kept.split(' ');
}

/** The text, its terms, and where they stand. */
function bytesOfPassage(kept: string, head: readonly string[], text: readonly string[]): number {
  const terms = [head, text].reduce(
    (sum, all) => all.reduce((length, term) => length + term.length + 3, sum),
    0,
  );
  return bytesPerPassage + kept.length + 2 * terms;
}

/** A byte for each number, and what stands beside it. */
export function bytesOfVector(dimension: number): number {
  return dimension + bytesPerVector;
}

function bytesOfItem(
  rowKey: string,
  { said, name, check_by }: Pick<KeptItem, 'said' | 'name' | 'check_by'>,
): number {
  // The name is kept in the table and in an index, and so is the day, there with the row_key.
  const ofCheck = check_by === null ? 0 : bytesPerCheck + rowKey.length;
  return bytesPerItem + rowKey.length + said.length + 2 * (name?.length ?? 0) + ofCheck;
}
