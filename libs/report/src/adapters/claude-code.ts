import { join } from 'node:path';
import { countOf, type Fields, fieldsOf, listOf, textOf, timeOf } from '../fields.ts';
import { jsonLines, logFiles } from '../log-files.ts';
import { purposeOf } from '../purpose.ts';
import type { Adapter, SessionEvent } from '../session-event.ts';

/** Texts that Claude Code itself puts into the place of a prompt. */
const notTyped =
  /^\s*(?:<(?:local-command|command-|bash-|task-notification|system-reminder)|Caveat:|\[Request interrupted)/;

/**
 * Claude Code: a file of lines for each session, and for each subagent. One answer is several lines with the same
 * message id, resumed sessions repeat lines of others, and `input_tokens` is a placeholder: only the figures of the cache
 * and the output hold.
 */
export const claudeCode: Adapter = {
  client: 'Claude Code',
  can: { tokens: true, cost: true, failures: true, subagents: true },
  async *read(reading) {
    const { env, home } = reading;
    const given = env.CLAUDE_CONFIG_DIR;
    const roots = given ? given.split(',') : [join(home, '.claude'), join(home, '.config', 'claude')];
    for (const root of roots) {
      for await (const path of logFiles(join(root.trim(), 'projects'), /\.jsonl$/, reading)) {
        for await (const line of jsonLines(path, reading)) yield* eventsOf(fieldsOf(line));
      }
    }
  },
};

function* eventsOf(line: Fields): Generator<SessionEvent> {
  const place = {
    session: textOf(line.sessionId),
    at: timeOf(line.timestamp),
    isSubagent: line.isSidechain === true,
  };
  if (place.session === '' || Number.isNaN(place.at)) return;
  if (line.type === 'user') yield* userEvents(line, place);
  if (line.type === 'assistant') yield* answerEvents(line, place);
}

type Place = Pick<SessionEvent, 'session' | 'at' | 'isSubagent'>;

function* userEvents(line: Fields, place: Place): Generator<SessionEvent> {
  const { content } = fieldsOf(line.message);
  let typed = textOf(content);
  for (const block of listOf(content).map(fieldsOf)) {
    if (block.type === 'text') typed ||= textOf(block.text);
    if (block.type !== 'tool_result') continue;
    const id = textOf(block.tool_use_id);
    yield { ...place, kind: 'result', id, hasFailed: block.is_error === true };
  }
  const isPrompt = typed !== '' && line.isMeta !== true && line.isCompactSummary !== true;
  if (!isPrompt || place.isSubagent || notTyped.test(typed)) return;
  yield { ...place, kind: 'prompt', id: textOf(line.uuid) };
}

function* answerEvents(line: Fields, place: Place): Generator<SessionEvent> {
  const message = fieldsOf(line.message);
  const usage = fieldsOf(message.usage);
  const model = textOf(message.model);
  // Claude Code's own words, such as that the service cannot be reached.
  if (model === '<synthetic>' || line.isApiErrorMessage === true) return;
  const id = textOf(message.id);
  const tokens = {
    input: undefined,
    cacheRead: countOf(usage.cache_read_input_tokens),
    cacheWrite: countOf(usage.cache_creation_input_tokens),
    output: countOf(usage.output_tokens),
  };
  yield { ...place, kind: 'answer', id, model, tokens, isWhole: typeof message.stop_reason === 'string' };
  for (const block of listOf(message.content).map(fieldsOf)) {
    if (block.type !== 'tool_use') continue;
    const tool = textOf(block.name);
    const purpose = purposeOf(tool, textOf(fieldsOf(block.input).command));
    yield { ...place, kind: 'call', id: textOf(block.id), tool, purpose };
  }
}
