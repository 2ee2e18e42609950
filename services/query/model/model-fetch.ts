/** Bytes of one answer on the wire: 2,000 tokens take a fifth of it in the wordiest servers. */
const maxResponseBytes = 4 * 1024 * 1024;
/** Bytes of one line, which is one event: a line is read as a whole. */
const maxLineBytes = 256 * 1024;
const newline = 0x0a;
/** How the stream of a chat completion ends. */
const endMarker = 'data: [DONE]';

/** A `fetch` for calls to a model server. */
export interface ModelFetch {
  fetch: typeof fetch;
  /** Whether the end of the answer has come, so that nothing is missing. */
  sawEnd(): boolean;
}

/**
 * Makes a `fetch` for one call. It sends no header but those that are needed,
 * whatever the client library adds; follows no redirect, for the prompt is
 * meant for this address only; and cuts an answer or a line that is too long.
 */
export function createModelFetch(apiKey: string | undefined): ModelFetch {
  let tail = '';
  let ended = false;
  const look = (bytes: Uint8Array) => {
    const text = tail + Buffer.from(bytes).toString('latin1');
    ended ||= text.includes(endMarker);
    tail = text.slice(-endMarker.length);
  };
  const headers = {
    accept: 'text/event-stream',
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  return {
    async fetch(url, init) {
      const { method, body, signal } = init ?? {};
      const response = await fetch(url, {
        headers,
        redirect: 'error',
        ...(method === undefined ? {} : { method }),
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      return new Response(response.body?.pipeThrough(bounded(look)) ?? null, response);
    },
    sawEnd: () => ended,
  };
}

function bounded(look: (bytes: Uint8Array) => void): TransformStream<Uint8Array, Uint8Array> {
  let total = 0;
  let line = 0;
  return new TransformStream({
    transform(bytes, controller) {
      look(bytes);
      total += bytes.length;
      const last = bytes.lastIndexOf(newline);
      line = last < 0 ? line + bytes.length : bytes.length - last - 1;
      if (total > maxResponseBytes || line > maxLineBytes) throw new Error('the answer is too long');
      controller.enqueue(bytes);
    },
  });
}
