import { isIP } from 'node:net';
import { AppError } from '@teammemory/errors/app-error.ts';

/** The address of a request as its client wrote it. */
export interface RequestHost {
  /** Host and port, as the header says them in the form of a URL. */
  host: string;
  /** Without the port, an IPv6 address in brackets. */
  name: string;
}

/** The headers that say where a request was sent to and which page sent it. */
interface AddressHeaders {
  host?: string | undefined;
  origin?: string | undefined;
}

/**
 * Returns the check of Host and Origin. A web page can point a name of its own at this service (DNS rebinding) and then
 * call it from the browser of somebody who can reach it. Such a request has the page's name as Host, or its origin.
 * Trusted are addresses that are no names (IP literals, `localhost`), the names of `hosts`, the request's own origin and
 * those of `origins`.
 * @throws AppError `forbidden_origin`.
 */
export function createHostCheck(trusted: { hosts: readonly string[]; origins: readonly string[] }) {
  const hosts: ReadonlySet<string> = new Set(trusted.hosts);
  const origins: ReadonlySet<string> = new Set(trusted.origins);
  return ({ host: header, origin }: AddressHeaders): RequestHost => {
    const host = hostFrom(header);
    if (host === undefined || !(isAddress(host.name) || hosts.has(host.name))) {
      throw new AppError(
        'forbidden_origin',
        'The header Host has a name that the operator did not list in the setting MCP_HOSTS.',
      );
    }
    if (origin === undefined || origins.has(origin) || isOriginOf(host, origin)) return host;
    throw new AppError(
      'forbidden_origin',
      'The header Origin has neither the address of this service nor one that the operator listed in CORS_ORIGINS.',
    );
  };
}

/** Returns the host of a Host header, or undefined if it has another form. */
function hostFrom(header: string | undefined): RequestHost | undefined {
  if (header === undefined || !/^[\w.:[\]-]+$/.test(header)) return undefined;
  const url = URL.parse(`http://${header}`);
  return url === null ? undefined : { host: url.host, name: url.hostname };
}

function isAddress(name: string): boolean {
  return name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** TLS may end before the service, so the scheme of the request is not known. */
function isOriginOf({ host }: RequestHost, origin: string): boolean {
  const scheme = /^https?:\/\//.exec(origin)?.[0];
  return scheme !== undefined && URL.parse(`${scheme}${host}`)?.origin === origin;
}
