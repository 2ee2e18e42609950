import { AppError } from '@teammemory/errors/app-error.ts';
import { maxUrlCharacters } from './webhook.ts';

/** Says which addresses webhooks may call. */
export interface AddressRules {
  /** Whether the host of a URL may be called. A name may: where it leads is checked at each attempt. */
  mayCallHost(url: URL): boolean;
  /** Whether a setting allows addresses, so that a name over `http:` may be one of them. */
  allowsHttp: boolean;
}

/**
 * Returns the URL of a webhook as it is stored. Where a name leads is checked whenever an event is sent.
 * @throws AppError `invalid_request`.
 */
export function webhookUrl(text: string, rules: AddressRules): string {
  if (text.length > maxUrlCharacters) throw badUrl(`must have at most ${maxUrlCharacters} characters`);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw badUrl('must be a URL that starts with https://');
  if (url.username !== '' || url.password !== '') throw badUrl('must not contain a user name or password');
  if (url.hash !== '') throw badUrl('must not have a fragment');
  if (!rules.mayCallHost(url)) throw badUrl('leads to an address that webhooks may not call');
  if (url.protocol === 'http:' && !rules.allowsHttp) throw badUrl('must start with https://');
  if (url.href.length > maxUrlCharacters) throw badUrl(`must have at most ${maxUrlCharacters} characters`);
  return url.href;
}

function badUrl(detail: string): AppError {
  return new AppError('invalid_request', `The url ${detail}.`, { violations: [{ pointer: '/url', detail }] });
}
