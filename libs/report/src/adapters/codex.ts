import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { countOf, type Fields, fieldsOf, listOf, parsed, textOf, timeOf } from '../fields.ts';
import { jsonLines, logFiles } from '../log-files.ts';
import { purposeOf } from '../purpose.ts';
import type { Adapter, LogReading, SessionEvent } from '../session-event.ts';

/** A fork writes the lines of its parent again at its start, all at once. */
const replayMs = 1_000;
const exitCode = /"exit_code":\s*(-?\d{1,10})|[Ee]xit(?:ed with)? code:? (-?\d{1,10})/;

/**
 * Codex: a file of lines for each session. `token_count` has the sum so far, and comes again unchanged; a fork begins with
 * the lines of its parent, and a newer one begins to count at zero. So every sum counts once within the sessions that
 * come from one, by the figures of its last answer.
 */
export const codex: Adapter = {
  client: 'Codex',
  can: { tokens: true, cost: true, failures: true, subagents: true },
  async *read(reading) {
    const root = reading.env.CODEX_HOME || join(reading.home, '.codex');
    for (const folder of ['sessions', 'archived_sessions']) {
      for await (const path of logFiles(join(root, folder), /^rollout-.*\.jsonl$/, reading)) {
        yield* sessionEvents(path, reading);
      }
    }
  },
};

interface Session {
  id: string;
  /** The session that the ids of this one are told apart within: of a fork, that of its parent. */
  lineage: string;
  isSubagent: boolean;
  /** Lines until then repeat those of the parent. */
  replayUntil: number;
  model: string;
  prompts: number;
  total: Fields;
}

async function* sessionEvents(path: string, reading: LogReading): AsyncGenerator<SessionEvent> {
  let session: Session | undefined;
  for await (const value of jsonLines(path, reading)) {
    const line = fieldsOf(value);
    const payload = fieldsOf(line.payload);
    const at = timeOf(line.timestamp);
    if (line.type === 'session_meta') session ??= sessionFrom(payload, at);
    if (session === undefined || Number.isNaN(at)) continue;
    if (line.type === 'turn_context') session.model = textOf(payload.model);
    if (at <= session.replayUntil) {
      // What is repeated goes on from the sum of the parent.
      if (payload.type === 'token_count') session.total = totalOf(payload);
      continue;
    }
    const place = { session: session.id, at, isSubagent: session.isSubagent };
    if (line.type === 'event_msg') yield* messageEvents(payload, session, place);
    if (line.type === 'response_item') yield* itemEvents(payload, place);
  }
}

function sessionFrom(meta: Fields, at: number): Session {
  const id = textOf(meta.id);
  const parent = textOf(meta.forked_from_id);
  const spawn = fieldsOf(fieldsOf(fieldsOf(meta.source).subagent).thread_spawn);
  const isSubagent = fieldsOf(meta.source).subagent !== undefined;
  return {
    id: textOf(spawn.parent_thread_id) || id,
    lineage: parent || id,
    isSubagent,
    replayUntil: parent === '' ? Number.NEGATIVE_INFINITY : at + replayMs,
    model: '',
    prompts: 0,
    total: {},
  };
}

type Place = Pick<SessionEvent, 'session' | 'at' | 'isSubagent'>;

function totalOf(payload: Fields): Fields {
  return fieldsOf(fieldsOf(payload.info).total_token_usage);
}

function* messageEvents(payload: Fields, session: Session, place: Place): Generator<SessionEvent> {
  if (payload.type === 'user_message' && !place.isSubagent) {
    session.prompts += 1;
    // The text of a prompt is told apart by its hash alone: prompts have no id.
    const hash = createHash('sha256').update(textOf(payload.message).slice(0, 10_000)).digest('base64');
    yield { ...place, kind: 'prompt', id: `${session.lineage} ${session.prompts} ${hash}` };
  }
  if (payload.type !== 'token_count' || payload.info === null) return;
  const total = totalOf(payload);
  const before = session.total;
  session.total = total;
  const last = fieldsOf(fieldsOf(payload.info).last_token_usage);
  const isTold = Object.keys(last).length > 0;
  const part = (name: string) =>
    isTold ? countOf(last[name]) : countOf(countOf(total[name]) - countOf(before[name]));
  const cacheRead = Math.min(part('cached_input_tokens'), part('input_tokens'));
  const sums = ['input_tokens', 'cached_input_tokens', 'output_tokens'].map((name) => countOf(total[name]));
  yield {
    ...place,
    kind: 'answer',
    id: `${session.lineage} ${sums.join(' ')}`,
    model: session.model,
    tokens: {
      input: part('input_tokens') - cacheRead,
      cacheRead,
      cacheWrite: 0,
      output: part('output_tokens'),
    },
    isWhole: true,
  };
}

function* itemEvents(payload: Fields, place: Place): Generator<SessionEvent> {
  const id = textOf(payload.call_id);
  if (id === '') return;
  if (payload.type === 'function_call' || payload.type === 'custom_tool_call') {
    const tool = textOf(payload.name);
    yield { ...place, kind: 'call', id, tool, purpose: purposeOf(tool, commandOf(payload)) };
  }
  if (payload.type === 'local_shell_call') {
    const command = listOf(fieldsOf(payload.action).command).map(textOf).join(' ');
    yield { ...place, kind: 'call', id, tool: 'local_shell', purpose: purposeOf('local_shell', command) };
  }
  if (payload.type === 'function_call_output' || payload.type === 'custom_tool_call_output') {
    yield { ...place, kind: 'result', id, hasFailed: hasFailed(payload.output) };
  }
}

function commandOf({ arguments: given }: Fields): string {
  const { command, cmd } = fieldsOf(parsed(textOf(given)));
  return textOf(cmd) || textOf(command) || listOf(command).map(textOf).join(' ');
}

/** Only the first lines of an output say how the command ended. */
function hasFailed(output: unknown): boolean {
  const told = fieldsOf(output);
  if (typeof told.success === 'boolean') return !told.success;
  const text = textOf(output) || textOf(told.content);
  const [, json, words] = exitCode.exec(`${text.slice(0, 500)} ${text.slice(-500)}`) ?? [];
  return Number(json ?? words ?? 0) !== 0;
}
