/** One event of a stream, its data read as JSON. */
export interface StreamEvent {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  data: any;
}

/** A whole answer as its reader sees it. */
export interface ReadAnswer {
  text: string;
  sources: {
    row_key: string;
    title: string;
    tier: string;
    kind: string;
    date?: string;
    status?: string;
  }[];
}

/**
 * Reads the text of a finished stream of server-sent events. Stricter than a
 * browser: anything but comments and blocks of one event and one data line is an error.
 */
export function readEvents(stream: string): StreamEvent[] {
  if (!stream.endsWith('\n\n')) throw new Error(`the stream ends within an event: ${stream.slice(-80)}`);
  const blocks = stream.slice(0, -2).split('\n\n');
  return blocks.filter((block) => !block.startsWith(':')).map(readEvent);
}

/** Joins the text of an answer and takes out its sources. */
export function readAnswer(stream: string): ReadAnswer {
  const events = readEvents(stream);
  const deltas = events.filter(({ event }) => event === 'delta');
  return {
    text: deltas.map(({ data }) => data.text).join(''),
    sources: events.find(({ event }) => event === 'sources')?.data,
  };
}

/** Reads an answer to its end; of a stream of changes, which has no end, the first event, and leaves it. */
export async function answerText(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { method, path, status }: { method: string; path: string; status: number },
): Promise<string> {
  const isEndless = method === 'GET' && status === 200 && path.split('?', 1)[0] === '/api/v1/events';
  const decoder = new TextDecoder();
  let received = '';
  for await (const chunk of chunks) {
    received += decoder.decode(chunk, { stream: true });
    if (isEndless && received.includes('event:') && received.endsWith('\n\n')) break;
  }
  return received + decoder.decode();
}

function readEvent(block: string): StreamEvent {
  const [, event, data] = /^event: (\w+)\ndata: ([^\r\n]+)$/.exec(block) ?? [];
  if (event === undefined || data === undefined) throw new Error(`not an event: ${block}`);
  return { event, data: JSON.parse(data) };
}
