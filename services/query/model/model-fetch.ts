/**
 * Makes a `fetch` for one call to a model server. It sends no header but those
 * that are needed, whatever the client library adds; follows no redirect, for
 * the prompt is meant for this address only; and ends with `signal`, the answer's
 * body included.
 */
export function createModelFetch(apiKey: string | undefined, signal: AbortSignal): typeof fetch {
  const headers = {
    accept: 'text/event-stream',
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  return (url, { method, body } = {}) =>
    fetch(url, {
      headers,
      redirect: 'error',
      signal,
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
    });
}
