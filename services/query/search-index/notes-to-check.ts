import type { CheckRequest, NoteToCheck } from '../domain/index/index-host.ts';
import { type IndexDatabase, keptJson } from './index-database.ts';

/** Finds the items of a view whose day to be checked has passed, the oldest day first. */
export function findNotesToCheck(
  { sql }: IndexDatabase,
  { tier, today, writerId, limit }: CheckRequest,
): NoteToCheck[] {
  const [ofWriter, writers] = writerId === undefined ? ['', []] : ['AND writer = ?', [writerId]];
  const rows = sql(
    `SELECT row_key, said, check_by FROM items INDEXED BY ${tier}_checks
     WHERE in_${tier} = 1 AND check_by < ? ${ofWriter} ORDER BY check_by, row_key LIMIT ?`,
  ).all(today, ...writers, limit) as { row_key: string; said: string; check_by: string }[];
  return rows.map(({ row_key: rowKey, said, check_by: checkBy }) => ({
    rowKey,
    title: keptJson<{ title: string }>(said).title,
    checkBy,
  }));
}
