/** Schemes that links in an answer may have. */
const openScheme = /^(?:https?:\/\/|mailto:)/i;
/** A place beside the document, which is of use as text and leads nowhere: no scheme, no host. */
const relativePath = /^(?!\/\/)[\p{L}\p{N}._~/#?=&%+-]+$/u;
const backslashEscape = /\\([!-/:-@[-`{-~])/g;
/** What Markdown could read as its own, or a renderer as the end of the address. */
const unsafeInAddress = /[^A-Za-z0-9\-._:/?#@!$&'()+,;=%]|(?<![A-Za-z0-9])_/g;

/**
 * Returns the address of a link as shown to readers, from the text in its round brackets. Undefined if it must not be
 * followed: only `http`, `https`, `mailto` and relative paths may be.
 */
export function shownAddress(destination: string): string | undefined {
  const given = destination.trim();
  const bare = given.startsWith('<') ? given.slice(1).split('>')[0] : given.split(/\s/)[0];
  const address = bare?.replace(backslashEscape, '$1').replaceAll('&amp;', '&') ?? '';
  if (!openScheme.test(address)) return relativePath.test(address) ? address : undefined;
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'mailto:' && url.hostname === '')) return undefined;
  // The parser writes a host of other scripts as browsers look it up.
  const ascii = /[^\x20-\x7e]/.test(address) ? url.href : address;
  return withoutCharacterReferences(withBalancedBrackets(ascii.replace(unsafeInAddress, percentEncoded)));
}

function percentEncoded(character: string): string {
  return `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The address stands in round brackets, and a renderer counts those. */
function withBalancedBrackets(address: string): string {
  let depth = 0;
  for (const character of address) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) break;
  }
  return depth === 0 ? address : address.replace(/[()]/g, percentEncoded);
}

function withoutCharacterReferences(address: string): string {
  return address.replace(/(&#?\w+);/g, '$1%3B');
}
