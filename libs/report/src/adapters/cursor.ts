import { join } from 'node:path';
import { type Fields, textOf, timeOf } from '../fields.ts';
import { purposeOf } from '../purpose.ts';
import { openReadOnly, rowsOf } from '../read-only-database.ts';
import type { Adapter, LogReading, SessionEvent } from '../session-event.ts';

/** A row with larger text is left out. */
const maxRowBytes = 4 * 1024 * 1024;
/** A conversation with more is read up to here. */
const maxBubbles = 20_000;

/** Conversations that changed since. Only these keys are read: Cursor keeps secrets in the same file. */
const conversations = `
  SELECT substr(key, 14) AS id FROM cursorDiskKV
  WHERE key >= 'composerData:' AND key < 'composerData;' AND length(value) <= ${maxRowBytes} AND json_valid(value)
    AND coalesce(json_extract(value, '$.lastUpdatedAt'), json_extract(value, '$.createdAt'), 0) >= ?`;

/** What is needed of the messages of a conversation; texts stay where they are, but for the beginning of a command. */
const bubbles = `
  SELECT key, json_extract(value, '$.type') AS type, json_extract(value, '$.createdAt') AS at,
    json_extract(value, '$.toolFormerData.name') AS tool,
    json_extract(value, '$.toolFormerData.status') AS status,
    substr(coalesce(json_extract(value, '$.toolFormerData.rawArgs'), ''), 1, 2000) AS arguments
  FROM cursorDiskKV
  WHERE key >= ? AND key < ? AND length(value) <= ${maxRowBytes} AND json_valid(value) LIMIT ${maxBubbles}`;

/** Cursor: one SQLite file. Its token counts are mostly 0 and say nothing of the cache, so they are left out. */
export const cursor: Adapter = {
  client: 'Cursor',
  can: { tokens: false, cost: false, failures: true, subagents: false },
  async *read(reading) {
    const database = await openReadOnly(databasePath(reading), reading);
    if (database === undefined) return;
    try {
      for (const { id } of rowsOf(database, conversations, reading, reading.since)) {
        const from = `bubbleId:${textOf(id)}:`;
        const rows = [...rowsOf(database, bubbles, reading, from, `${from.slice(0, -1)};`)];
        // The keys of messages have no order; a message without a time is of a version that is too old.
        const timed = rows.filter(({ at }) => !Number.isNaN(timeOf(at)));
        for (const row of timed.sort((one, other) => timeOf(one.at) - timeOf(other.at))) {
          yield* eventsOf(row, textOf(id));
        }
      }
    } finally {
      database.close();
    }
  },
};

function databasePath({ home, env, platform }: LogReading): string {
  const folders: Record<string, string> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env.APPDATA || join(home, 'AppData', 'Roaming'),
  };
  const folder = folders[platform] ?? (env.XDG_CONFIG_HOME || join(home, '.config'));
  return join(folder, 'Cursor', 'User', 'globalStorage', 'state.vscdb');
}

function* eventsOf(row: Fields, session: string): Generator<SessionEvent> {
  const place = { session, at: timeOf(row.at), isSubagent: false };
  const id = textOf(row.key);
  if (row.type === 1) yield { ...place, kind: 'prompt', id };
  if (row.type !== 2) return;
  yield { ...place, kind: 'answer', id, model: '', tokens: undefined, isWhole: true };
  const tool = textOf(row.tool);
  if (tool === '') return;
  // The arguments are JSON text, whose quotes stand around the command.
  const command = textOf(row.arguments).replace(/["\\]/g, ' ');
  yield { ...place, kind: 'call', id, tool, purpose: purposeOf(tool, command) };
  if (row.status === 'completed' || row.status === 'error') {
    yield { ...place, kind: 'result', id, hasFailed: row.status === 'error' };
  }
}
