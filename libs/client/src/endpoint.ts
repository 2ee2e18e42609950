/** The address and the credentials of requests. */
export interface Endpoint {
  /** Base address without a slash at the end. */
  url: string;
  key: string;
  team: string;
  /** As in `EndpointOptions`. */
  client: () => string | undefined;
  fetch: typeof fetch;
}

/** Where a service is, and who calls it. */
export interface EndpointOptions {
  /** Base address of the service, such as `http://127.0.0.1:8080`. */
  url: string;
  /** The whole key, `tms_<key_id>_<secret>`. */
  key: string;
  /** Slug of the team. */
  team: string;
  /**
   * The name of the program, 1 to 64 plain characters, which the history of items tells to the team. Asked before each
   * request. Default: `sdk`, and in a browser none.
   */
  client?: () => string | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * Checks an address and credentials. Throws TypeError for what cannot be sent: `fetch` would quote a header with a
 * control character, and with it the key, in its error.
 */
export function endpointOf({ url, key, team, client, fetch: ownFetch }: EndpointOptions): Endpoint {
  const parsed = parsedUrl(url);
  if (
    parsed === undefined ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.username !== '' ||
    parsed.password !== ''
  ) {
    throw new TypeError('The address of the service must be an http or https URL without a user name.');
  }
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('The key contains characters that are not allowed in a key.');
  if (!/^[\x21-\x7e]+$/.test(team))
    throw new TypeError('The team contains characters that are not allowed in a slug.');
  const base = `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '');
  return {
    url: base,
    key,
    team,
    // A browser asks the service for leave to send the header, and an earlier one gives none.
    client: client ?? (() => ('document' in globalThis || 'importScripts' in globalThis ? undefined : 'sdk')),
    fetch: ownFetch ?? ((input, init) => fetch(input, init)),
  };
}

/** `URL.parse` is not in Node 20. */
function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
