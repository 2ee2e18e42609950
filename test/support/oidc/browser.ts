/** A sign-in that takes more steps than this goes round in circles. */
const maxSteps = 20;
const stepTimeoutMs = 15_000;

/** What a browser does of HTTP, without a page: cookies of each origin, one request at a time. */
export interface Browser {
  /** Cookies by origin and name; a test may change them. */
  cookies: Map<string, Map<string, string>>;
  /** Sends one request and keeps its cookies. Redirects are not followed. */
  send(url: string, form?: Record<string, string>): Promise<Response>;
  /** Begins at an address and follows redirects, filling in the provider's forms, until one leads to `stop`. */
  signIn(begin: string, person: { name: string } | { cancels: true }, stop: string): Promise<URL>;
}

/** Creates a browser without any cookies. */
export function createBrowser(): Browser {
  const cookies = new Map<string, Map<string, string>>();

  function keep(url: string, response: Response): void {
    const { origin } = new URL(url);
    const ofOrigin = cookies.getOrInsertComputed(origin, () => new Map());
    for (const text of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = text.split('; ');
      const [name = '', ...value] = pair.split('=');
      const isGone = attributes.some(
        (one) => /^max-age=0$/i.test(one) || /^expires=Thu, 01 Jan 1970/i.test(one),
      );
      if (isGone) ofOrigin.delete(name);
      else ofOrigin.set(name, value.join('='));
    }
  }

  async function send(url: string, form?: Record<string, string>): Promise<Response> {
    const ofOrigin = cookies.get(new URL(url).origin) ?? new Map();
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: [...ofOrigin].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(stepTimeoutMs),
    });
    keep(url, response);
    return response;
  }

  return {
    cookies,
    send,
    async signIn(begin, person, stop) {
      let url = begin;
      let response = await send(url);
      for (let step = 0; step < maxSteps; step++) {
        const location = response.headers.get('location');
        if (location !== null) {
          const next = new URL(location, url);
          if (next.href.startsWith(stop)) return next;
          url = next.href;
          response = await send(url);
          continue;
        }
        const page = await response.text();
        if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${page}`);
        if ('cancels' in person) response = await send(`${url}/abort`);
        else if (page.includes('name="login"'))
          response = await send(url, { prompt: 'login', login: person.name, password: 'any' });
        else response = await send(url, { prompt: 'consent' });
      }
      throw new Error('the sign-in does not end');
    },
  };
}
