import { itemPath } from '../service/paths.ts';

/** Addresses of the service that change something when one follows them, such as who is signed in. */
const closedPaths = /^\/(?:sign-in|session|rpc|api)(?:\/|$)/i;
const withScheme = /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i;

/**
 * Makes a link of a text safe to follow, and lets it lead where its author meant it: `other.md` to that item beside
 * `rowKey`, `/other.md` to one in the outermost folder, `#heading` to a heading of the text.
 */
export function withSafeLink(link: HTMLAnchorElement, rowKey: string, anchorPrefix: string): void {
  const href = link.getAttribute('href')?.trim();
  if (!href) return;
  if (href.startsWith('#')) {
    link.setAttribute('href', `#${anchorPrefix}${href.slice(1)}`);
    return;
  }
  if (!withScheme.test(href)) {
    const path = pathToItem(href, rowKey, anchorPrefix);
    if (path === undefined) link.removeAttribute('href');
    else link.setAttribute('href', path);
    return;
  }
  if (!isOpenAddress(link)) {
    link.removeAttribute('href');
    return;
  }
  link.rel = 'noopener noreferrer nofollow';
  if (link.origin !== location.origin) link.target = '_blank';
}

function isOpenAddress({ protocol, origin, pathname }: HTMLAnchorElement): boolean {
  if (protocol === 'mailto:') return true;
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return origin !== location.origin || !closedPaths.test(pathname);
}

/** The page of the item that a relative link names; undefined for one that leads out of the team's folders. */
function pathToItem(href: string, rowKey: string, anchorPrefix: string): string | undefined {
  const linked = linkedItem(href, rowKey);
  if (linked === undefined) return undefined;
  const anchor = /#(.*)$/s.exec(linked.rest)?.[1] ?? '';
  return itemPath(linked.path) + (anchor === '' ? '' : `#${anchorPrefix}${anchor}`);
}

/**
 * Returns the path of the item, or folder, to which a link in the item `rowKey` leads, and what follows the path in the
 * link; undefined for one that leads out of the team's folders.
 */
export function linkedItem(href: string, rowKey: string): { path: string; rest: string } | undefined {
  if (withScheme.test(href)) return undefined;
  const [, path = '', rest = ''] = /^([^?#]*?)(\/?(?:[?#].*)?)$/s.exec(href) ?? [];
  const segments = path.startsWith('/') ? [] : rowKey.split('/').slice(0, -1);
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(decoded(segment));
    else if (segments.pop() === undefined) return undefined;
  }
  return { path: segments.join('/'), rest };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
