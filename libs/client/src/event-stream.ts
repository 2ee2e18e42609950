import { withinMs } from './call-options.ts';
import { TransportError } from './transport-error.ts';

/**
 * Reads a body chunk by chunk. Throws a TimeoutError if nothing arrives for `stallTimeoutMs`; the time that the
 * caller spends between two chunks does not count. The body is cancelled however reading ends.
 */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  stallTimeoutMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await withinMs(reader.read(), stallTimeoutMs);
      if (done) return;
      yield value;
    }
  } finally {
    // Cancelling a failed body rejects with the same error, which the caller gets anyway.
    await reader.cancel().catch(() => undefined);
  }
}

/** An event of the service has a few kilobytes. The largest, `sources`, stays far below this. */
const maxEventChars = 1024 * 1024;

export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Parses a `text/event-stream` as it arrives (WHATWG HTML, section 9.2). Chunks may end anywhere: in a character, in a
 * line or between CR and LF. Comments and unknown fields are skipped, and an unfinished event at the end is dropped.
 * Throws TransportError `invalid_answer` for an event above 1 Mi characters.
 */
export async function* parseEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let event = emptyEvent();
  for await (const line of splitLines(chunks)) {
    if (line === '') {
      if (event.data.length > 0) yield { event: event.name || 'message', data: event.data.join('\n') };
      event = emptyEvent();
      continue;
    }
    const { field, value } = splitField(line);
    if (field === 'event') event.name = value;
    if (field !== 'data') continue;
    event.data.push(value);
    event.chars += value.length + 1;
    if (event.chars > maxEventChars) throw tooLarge();
  }
}

/** Yields complete lines without their ends. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let endedInCarriageReturn = false;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    const fresh = endedInCarriageReturn && text.startsWith('\n') ? text.slice(1) : text;
    endedInCarriageReturn = text.endsWith('\r');
    rest += fresh;
    // Splitting only when a line ends keeps the cost of one long line in many small chunks linear.
    if (/[\r\n]/.test(fresh)) {
      const lines = rest.split(/\r\n|\r|\n/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest.length > maxEventChars) throw tooLarge();
  }
}

function splitField(line: string): { field: string; value: string } {
  const colon = line.indexOf(':');
  if (colon === -1) return { field: line, value: '' };
  const value = line.slice(colon + 1);
  return { field: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value };
}

function emptyEvent(): { name: string; data: string[]; chars: number } {
  return { name: '', data: [], chars: 0 };
}

function tooLarge(): TransportError {
  return new TransportError('invalid_answer', 'The server sent an event that is too large.');
}
