import { join } from 'node:path';
import { countOf, type Fields, fieldsOf, listOf, textOf, timeOf } from '../fields.ts';
import { jsonFile, jsonLines, logFiles } from '../log-files.ts';
import { purposeOf } from '../purpose.ts';
import type { Adapter, SessionEvent } from '../session-event.ts';

/** Gemini CLI: a JSON file for each session, in newer versions a file of lines. Its input includes what was cached. */
export const geminiCli: Adapter = {
  client: 'Gemini CLI',
  can: { tokens: true, cost: true, failures: true, subagents: false },
  async *read(reading) {
    const folder = join(reading.home, '.gemini', 'tmp');
    for await (const path of logFiles(folder, /^session-.*\.jsonl?$/, reading)) {
      let session = path;
      if (path.endsWith('.jsonl')) {
        for await (const value of jsonLines(path, reading)) {
          const line = fieldsOf(value);
          session = textOf(line.sessionId) || session;
          yield* messageEvents(line, session);
        }
        continue;
      }
      const file = fieldsOf(await jsonFile(path, reading));
      session = textOf(file.sessionId) || session;
      for (const message of listOf(file.messages)) yield* messageEvents(fieldsOf(message), session);
    }
  },
};

function* messageEvents(message: Fields, session: string): Generator<SessionEvent> {
  const place = { session, at: timeOf(message.timestamp), isSubagent: false };
  const id = textOf(message.id);
  if (Number.isNaN(place.at) || id === '') return;
  if (message.type === 'user') yield { ...place, kind: 'prompt', id };
  if (message.type !== 'gemini') return;
  const told = fieldsOf(message.tokens);
  const cacheRead = Math.min(countOf(told.cached), countOf(told.input));
  const tokens = {
    input: countOf(told.input) - cacheRead + countOf(told.tool),
    cacheRead,
    cacheWrite: 0,
    output: countOf(told.output) + countOf(told.thoughts),
  };
  const hasTokens = Object.keys(told).length > 0;
  yield {
    ...place,
    kind: 'answer',
    id,
    model: textOf(message.model),
    tokens: hasTokens ? tokens : undefined,
    isWhole: true,
  };
  for (const call of listOf(message.toolCalls).map(fieldsOf)) {
    const tool = textOf(call.name);
    const callId = textOf(call.id);
    const purpose = purposeOf(tool, textOf(fieldsOf(call.args).command));
    yield { ...place, kind: 'call', id: callId, tool, purpose };
    if (call.status === 'success' || call.status === 'error') {
      yield { ...place, kind: 'result', id: callId, hasFailed: call.status === 'error' };
    }
  }
}
