import type { CheckRequest, NamedItem, NameRequest, NoteToCheck } from '../domain/index/index-host.ts';
import { type IndexDatabase, keptJson } from './index-database.ts';

/** Names that one call looks through: a tenth of a second. */
const maxNames = 200_000;

/** Finds the items of a view whose names have every word, those first that begin with the first one. */
export function findNames({ sql }: IndexDatabase, { tier, words, limit }: NameRequest): NamedItem[] {
  const [first = ''] = words;
  const hasWords = words.map(() => 'instr(name, ?) > 0').join(' AND ');
  // The index alone is read, which has what the view sees and nothing else.
  const rows = sql(
    `SELECT row_key, said FROM items JOIN (
       SELECT id, substr(name, 1, ?) = ? AS begins FROM (
         SELECT id, name FROM items INDEXED BY ${tier}_names
         WHERE in_${tier} = 1 AND name IS NOT NULL ORDER BY name LIMIT ${maxNames})
       ${hasWords && `WHERE ${hasWords}`} ORDER BY begins DESC LIMIT ?
     ) USING (id) ORDER BY begins DESC, name`,
  ).all([...first].length, first, ...words, limit) as { row_key: string; said: string }[];
  return rows.map(({ row_key: rowKey, said }) => ({
    rowKey,
    title: keptJson<{ title: string }>(said).title,
  }));
}

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
