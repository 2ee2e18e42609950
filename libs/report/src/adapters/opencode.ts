import { basename, join } from 'node:path';
import { countOf, type Fields, fieldsOf, parsed, textOf, timeOf } from '../fields.ts';
import { jsonFile, logFiles } from '../log-files.ts';
import { purposeOf } from '../purpose.ts';
import { openReadOnly, rowsOf } from '../read-only-database.ts';
import type { Adapter, LogReading, SessionEvent } from '../session-event.ts';

const maxRowBytes = 4 * 1024 * 1024;
/** Messages of one session. */
const maxMessages = 20_000;

/**
 * opencode: a JSON file for each message and each part of one, in newer versions rows of `opencode.db` with the same
 * JSON. A session with a parent is a subagent's.
 */
export const opencode: Adapter = {
  client: 'opencode',
  can: { tokens: true, cost: true, failures: true, subagents: true },
  async *read(reading) {
    const data = reading.env.XDG_DATA_HOME || join(reading.home, '.local', 'share');
    yield* databaseEvents(join(data, 'opencode', 'opencode.db'), reading);
    yield* fileEvents(join(data, 'opencode', 'storage'), reading);
  },
};

async function* databaseEvents(path: string, reading: LogReading): AsyncGenerator<SessionEvent> {
  const database = await openReadOnly(path, reading);
  if (database === undefined) return;
  const partsOf = `SELECT id, data FROM part WHERE message_id = ? AND length(data) <= ${maxRowBytes} ORDER BY id`;
  const messages = `
    SELECT message.id, message.data, session.id AS session_id, session.parent_id FROM message
    JOIN session ON session.id = message.session_id
    WHERE message.time_created >= ? AND length(message.data) <= ${maxRowBytes}
    ORDER BY message.session_id, message.id`;
  try {
    for (const row of rowsOf(database, messages, reading, reading.since)) {
      const parent = textOf(row.parent_id);
      const session = { id: parent || textOf(row.session_id), isSubagent: parent !== '' };
      const message = fieldsOf(parsed(textOf(row.data)));
      yield* messageEvents(textOf(row.id), message, session);
      for (const part of rowsOf(database, partsOf, reading, textOf(row.id))) {
        yield* partEvents(textOf(part.id), fieldsOf(parsed(textOf(part.data))), session, message);
      }
    }
  } finally {
    database.close();
  }
}

interface Session {
  id: string;
  isSubagent: boolean;
}

async function* fileEvents(storage: string, reading: LogReading): AsyncGenerator<SessionEvent> {
  for await (const path of logFiles(join(storage, 'session'), /^ses_.*\.json$/, reading)) {
    const file = fieldsOf(await jsonFile(path, reading));
    const own = textOf(file.id) || basename(path, '.json');
    const parent = textOf(file.parentID);
    const session = { id: parent || own, isSubagent: parent !== '' };
    const messages: string[] = [];
    for await (const each of logFiles(
      join(storage, 'message', basename(path, '.json')),
      /\.json$/,
      reading,
    )) {
      if (messages.length < maxMessages) messages.push(each);
    }
    // Ids rise with time.
    for (const each of messages.sort()) {
      const id = basename(each, '.json');
      const message = fieldsOf(await jsonFile(each, reading));
      yield* messageEvents(id, message, session);
      for await (const part of logFiles(join(storage, 'part', id), /\.json$/, reading)) {
        yield* partEvents(basename(part, '.json'), fieldsOf(await jsonFile(part, reading)), session, message);
      }
    }
  }
}

function* messageEvents(id: string, message: Fields, session: Session): Generator<SessionEvent> {
  const place = { session: session.id, at: createdAt(message), isSubagent: session.isSubagent };
  if (Number.isNaN(place.at)) return;
  if (message.role === 'user' && !session.isSubagent) yield { ...place, kind: 'prompt', id };
  if (message.role !== 'assistant') return;
  const told = fieldsOf(message.tokens);
  const cache = fieldsOf(told.cache);
  const tokens = {
    input: countOf(told.input),
    cacheRead: countOf(cache.read),
    cacheWrite: countOf(cache.write),
    output: countOf(told.output) + countOf(told.reasoning),
  };
  yield { ...place, kind: 'answer', id, model: textOf(message.modelID), tokens, isWhole: true };
}

function* partEvents(id: string, part: Fields, session: Session, message: Fields): Generator<SessionEvent> {
  const place = { session: session.id, at: createdAt(message), isSubagent: session.isSubagent };
  if (part.type !== 'tool' || Number.isNaN(place.at)) return;
  const tool = textOf(part.tool);
  const state = fieldsOf(part.state);
  const callId = textOf(part.callID) || id;
  const purpose = purposeOf(tool, textOf(fieldsOf(state.input).command));
  yield { ...place, kind: 'call', id: callId, tool, purpose };
  if (state.status !== 'completed' && state.status !== 'error') return;
  const exit = fieldsOf(state.metadata).exit;
  const hasFailed = state.status === 'error' || (typeof exit === 'number' && exit !== 0);
  yield { ...place, kind: 'result', id: callId, hasFailed };
}

function createdAt(message: Fields): number {
  return timeOf(fieldsOf(message.time).created);
}
