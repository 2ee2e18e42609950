const loopbackHosts: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Whether an address that a request names is one of those that the app's document lists: equal, character by character, but
 * for the port of an address on the person's own machine, which a program chooses when it starts (RFC 8252, 7.3). Other
 * addresses must be of https: a page must not be sent to `javascript:`, nor a code to whichever program took a scheme.
 */
export function isListedRedirect(wanted: string, listed: readonly string[]): boolean {
  const url = URL.parse(wanted);
  if (url === null || url.username !== '' || url.password !== '' || wanted.includes('#')) return false;
  if (!isLoopback(url)) return url.protocol === 'https:' && listed.includes(wanted);
  return listed.some((each) => {
    const known = URL.parse(each);
    return known !== null && isLoopback(known) && withoutPort(known) === withoutPort(url);
  });
}

/** Whether an address leads to a program on the machine of whoever opens it. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && loopbackHosts.includes(hostname);
}

function withoutPort(url: URL): string {
  const copy = new URL(url);
  copy.port = '';
  return copy.href;
}
