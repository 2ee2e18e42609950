import { appendFileSync, readFileSync } from 'node:fs';

/** A call that changed files below the recorded folder, or a mark between calls. Paths are relative to that folder. */
export type Call =
  | { kind: 'create'; path: string; inode: string }
  | { kind: 'folder'; path: string }
  | { kind: 'write'; path: string; inode: string; offset: number; bytes: Uint8Array }
  | { kind: 'truncate'; path: string; inode: string; size: number }
  /** `fsync` or `fdatasync`, of a file or of a folder. */
  | { kind: 'sync'; path: string; inode: string }
  | { kind: 'rename'; path: string; to: string }
  | { kind: 'unlink'; path: string }
  /** What a client did: JSON that `mark` wrote. */
  | { kind: 'mark'; value: unknown };

/** Adds what a client did to the log, behind every call that was recorded before. */
export function mark(log: string, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(value));
  appendFileSync(log, Buffer.concat([Buffer.from(`M 0 0 ${bytes.length} \t\n`), bytes]));
}

/** Reads what recorder.c and `mark` wrote. Throws where a record is none of theirs. */
export function readCallLog(log: string): Call[] {
  const bytes = readFileSync(log);
  const calls: Call[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const [, kind = '', inode = '', offset, length, path = '', to = ''] =
      /^(\w) (\d+) (-?\d+) (\d+) ([^\t]*)\t(.*)$/.exec(bytes.toString('utf8', at, end)) ?? [];
    at = end + 1 + Number(length);
    calls.push(callOf({ kind, path, to, inode, size: Number(offset), bytes: bytes.subarray(end + 1, at) }));
  }
  return calls;
}

function callOf({
  kind,
  path,
  to,
  inode,
  size,
  bytes,
}: Record<'kind' | 'path' | 'to' | 'inode', string> & {
  size: number;
  bytes: Uint8Array;
}): Call {
  switch (kind) {
    case 'C':
      return { kind: 'create', path, inode };
    case 'D':
      return { kind: 'folder', path };
    case 'W':
      return { kind: 'write', path, inode, offset: size, bytes };
    case 'T':
      return { kind: 'truncate', path, inode, size };
    case 'S':
      return { kind: 'sync', path, inode };
    case 'R':
      return { kind: 'rename', path, to };
    case 'U':
      return { kind: 'unlink', path };
    case 'M':
      return { kind: 'mark', value: JSON.parse(Buffer.from(bytes).toString()) };
    default:
      throw new Error(`the log has a record of unknown kind ${JSON.stringify(kind)}`);
  }
}
