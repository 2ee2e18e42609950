import { AppError } from '@teammemory/errors/app-error.ts';
import { tiers } from '@teammemory/vocabulary/tier.ts';
import type { EmbeddingWork, PassageVector, UnembeddedPassage } from '../domain/index/index-host.ts';
import { decisionIdOf } from '../domain/passages/passage.ts';
import { quantise } from '../domain/ranking/vectors.ts';
import { type IndexDatabase, keptJson } from './index-database.ts';
import { passagesOfItem } from './stored-view.ts';
import { bytesOfVector, type TeamIndex } from './team-index.ts';

const dimensionFigure = 'dimension';

/** Which items of a team need vectors, and the vectors. All of it is to be called within `TeamIndex.write`. */
export interface EmbeddingBacklog {
  /** Takes random items out of the backlog, with their passages. */
  take(max: { items: number; passages: number }): EmbeddingWork;
  /** Puts items back. */
  add(rowKeys: readonly string[]): void;
  /** Puts back every item of which a passage has no vector. */
  refill(): void;
  /**
   * Sets the vector of a passage of this state of an item, in the views that have the passage and room for it.
   * @throws AppError `internal` for another dimension than the others have.
   */
  embed(vector: PassageVector): void;
  /** Forgets all vectors, unless they have this dimension; every item is to be looked after anew. */
  forgetOthers(dimension: number): void;
}

/** Makes the backlog of a file. */
export function createEmbeddingBacklog(database: IndexDatabase, index: TeamIndex): EmbeddingBacklog {
  const { sql } = database;

  function takeItem(): { id: number; rowKey: string; seq: number } | undefined {
    const waiting = (condition: string, ...values: number[]) =>
      sql(`SELECT id, row_key, seq FROM items WHERE waits = 1 ${condition} ORDER BY id LIMIT 1`).get(
        ...values,
      );
    const last = Number(sql('SELECT max(id) AS last FROM items').get()?.last ?? 0);
    // At random, so that processes that work on the same team at once find each other's vectors stored.
    const found = waiting('AND id >= ?', Math.floor(Math.random() * (last + 1))) ?? waiting('');
    if (found === undefined) return undefined;
    const item = { id: Number(found.id), rowKey: String(found.row_key), seq: Number(found.seq) };
    sql('UPDATE items SET waits = 0 WHERE id = ?').run(item.id);
    return item;
  }

  return {
    take(max) {
      const rowKeys: string[] = [];
      const passages: UnembeddedPassage[] = [];
      const writers = new Map<string, string>();
      while (rowKeys.length < max.items && passages.length < max.passages) {
        const item = takeItem();
        if (item === undefined) break;
        const { id, rowKey, seq } = item;
        rowKeys.push(rowKey);
        const decisionId = decisionIdOf(rowKey);
        const row =
          decisionId && sql("SELECT kept FROM rows WHERE kind = 'decision' AND id = ?").get(decisionId);
        const { writerId } = row ? keptJson<{ writerId?: string }>(row.kept) : {};
        if (writerId) writers.set(rowKey, writerId);
        const ofItem = passagesOfItem(database, id);
        for (const passage of ofItem) passages.push({ ...passage, seq });
        // An item without passages was kept only for the backlog.
        const { skipped } =
          sql('SELECT skipped_team + skipped_external AS skipped FROM items WHERE id = ?').get(id) ?? {};
        if (ofItem.length === 0 && skipped === 0) index.removeItem(rowKey);
      }
      return { rowKeys, passages, writers, dimension: index.counts.team.get(dimensionFigure) };
    },
    add(rowKeys) {
      for (const rowKey of rowKeys) sql('UPDATE items SET waits = 1 WHERE row_key = ?').run(rowKey);
    },
    refill() {
      sql(`UPDATE items SET waits = 1 WHERE id IN (SELECT item FROM passages p
             WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE passage = p.id))`).run();
    },
    embed({ place: { rowKey, seq, ordinal }, vector }) {
      const passage = sql(
        `SELECT p.id, p.in_team, p.in_external FROM passages p JOIN items i ON i.id = p.item
         WHERE i.row_key = ? AND i.seq = ? AND p.ordinal = ?`,
      ).get(rowKey, seq, ordinal);
      if (passage === undefined) return;
      const { counts } = index;
      const present = counts.team.get(dimensionFigure);
      if (present !== 0 && present !== vector.length) throw otherDimension(vector.length, present);
      const id = Number(passage.id);
      index.removeVector(id);
      const bytes = bytesOfVector(vector.length);
      // Each view by its own room: whether guests have a vector must not depend on what they do not see.
      const having = tiers.filter((tier) => passage[`in_${tier}`] === 1 && index.hasRoom(tier, bytes));
      if (having.length === 0) return;
      counts.team.set(dimensionFigure, vector.length);
      const { numbers, scale } = quantise(vector);
      sql('INSERT INTO vectors (passage, scale, numbers, in_team, in_external) VALUES (?, ?, ?, ?, ?)').run(
        id,
        scale,
        numbers,
        Number(having.includes('team')),
        Number(having.includes('external')),
      );
      for (const tier of having) {
        counts[tier].add('vectors', 1);
        counts[tier].add('bytes', bytes);
      }
    },
    forgetOthers(dimension) {
      const present = index.counts.team.get(dimensionFigure);
      if (present === 0 || present === dimension) return;
      sql('DELETE FROM vectors').run();
      for (const tier of tiers) {
        const counts = index.counts[tier];
        counts.add('bytes', -counts.get('vectors') * bytesOfVector(present));
        counts.set('vectors', 0);
      }
      index.counts.team.set(dimensionFigure, 0);
      sql('UPDATE items SET waits = 1 WHERE id IN (SELECT item FROM passages)').run();
    },
  };
}

function otherDimension(length: number, width: number): AppError {
  const cause = new Error(`a vector of ${length} numbers among those of ${width}`);
  return new AppError('internal', 'Something went wrong on our side.', { cause });
}
