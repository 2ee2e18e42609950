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

function readEvent(block: string): StreamEvent {
  const [, event, data] = /^event: (\w+)\ndata: ([^\r\n]+)$/.exec(block) ?? [];
  if (event === undefined || data === undefined) throw new Error(`not an event: ${block}`);
  return { event, data: JSON.parse(data) };
}
