const blockBytes = 512;
const encoder = new TextEncoder();
/** What fits the name field of a header: nothing else is told by it, so that no reader sees a part of a name. */
const plainName = /^[\x20-\x7e]{1,100}$/;

/** Returns a file of a tar archive (POSIX.1-2001, pax): its headers, its bytes, and zeros up to a whole block. */
export function tarFile(name: string, bytes: Uint8Array, changedAt: Date): Uint8Array[] {
  const seconds = Math.max(0, Math.floor(changedAt.getTime() / 1000)) || 0;
  const parts: Uint8Array[] = [];
  const add = (field: string, content: Uint8Array, type: string) => {
    const rest = new Uint8Array(-content.length & (blockBytes - 1));
    parts.push(header(field, content.length, seconds, type), content, rest);
  };
  if (!plainName.test(name)) add('pax', paxRecord('path', name), 'x');
  add(plainName.test(name) ? name : 'pax-path', bytes, '0');
  return parts;
}

/** The end of an archive. */
export function tarEnd(): Uint8Array {
  return new Uint8Array(2 * blockBytes);
}

function header(name: string, size: number, seconds: number, type: string): Uint8Array {
  const block = new Uint8Array(blockBytes);
  const put = (at: number, text: string) => block.set(encoder.encode(text), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  put(0, name);
  // Only its owner reads what is unpacked.
  put(100, octal(0o600, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(size, 11));
  put(136, octal(seconds, 11));
  // The sum is taken with blanks in its own place.
  put(148, ' '.repeat(8));
  put(156, type);
  put(257, 'ustar\u000000');
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, `${octal(sum, 6)}\u0000 `);
  return block;
}

/** Returns a record, which begins with its own length. */
function paxRecord(keyword: string, value: string): Uint8Array {
  const rest = encoder.encode(` ${keyword}=${value}\n`).length;
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return encoder.encode(`${length} ${keyword}=${value}\n`);
}
