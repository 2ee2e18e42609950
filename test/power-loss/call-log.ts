import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A call that changed files below the recorded folder, or a mark between calls. Paths are relative to that folder. */
export type Call =
  | { kind: 'create'; path: string; inode: string }
  | { kind: 'folder'; path: string }
  | { kind: 'write'; path: string; inode: string; offset: number; bytes: Uint8Array }
  | { kind: 'truncate'; path: string; inode: string; size: number }
  /** `fsync` or `fdatasync`, of a file or of a folder. */
  | { kind: 'sync'; path: string; inode: string }
  | { kind: 'rename'; path: string; to: string }
  /** A second name of a file. */
  | { kind: 'link'; path: string; to: string }
  | { kind: 'unlink'; path: string }
  /** What a client did: JSON that `mark` wrote. */
  | { kind: 'mark'; value: unknown };

/** Adds what a client did to the log, behind every call that was recorded before. */
export function mark(log: string, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(value));
  appendFileSync(log, Buffer.concat([Buffer.from(`M 0 0 ${bytes.length} \t\n`), bytes]));
}

/** A file that an editor made anew and synced; without a text it was removed. */
export interface NotedChange {
  path: string;
  text?: string;
}

/** Adds to the log what an editor did that is not recorded, once it has done it. */
export function noteChange(log: string, root: string, { path, text }: NotedChange): void {
  const folder = dirname(path);
  const records = [`U 0 0 0 ${path}\t\n`];
  if (text !== undefined) {
    const { ino } = statSync(join(root, path));
    const name = `${path}\t\n`;
    records.push(
      `C ${ino} 0 0 ${name}`,
      `W ${ino} 0 ${Buffer.byteLength(text)} ${name}${text}`,
      `S ${ino} 0 0 ${name}`,
    );
  }
  appendFileSync(log, `${records.join('')}S 0 0 0 ${folder}\t\n`);
}

/** Reads what recorder.c and `mark` wrote. Throws where a record is none of theirs. */
export function readCallLog(log: string): Call[] {
  return createCallReader(log)();
}

/** Returns a function that gives the calls since it was called last, while the log grows. */
export function createCallReader(log: string): () => Call[] {
  let read = 0;
  return () => {
    const bytes = readFileSync(log).subarray(read);
    const calls: Call[] = [];
    let at = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, at)) {
      const [, kind = '', inode = '', offset, length, path = '', to = ''] =
        /^(\w) (\d+) (-?\d+) (\d+) ([^\t]*)\t(.*)$/.exec(bytes.toString('utf8', at, end)) ?? [];
      const next = end + 1 + Number(length);
      // The last record is being written.
      if (next > bytes.length) break;
      calls.push(
        callOf({ kind, path, to, inode, size: Number(offset), bytes: bytes.subarray(end + 1, next) }),
      );
      at = next;
    }
    read += at;
    return calls;
  };
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
    case 'L':
      return { kind: 'link', path, to };
    case 'U':
      return { kind: 'unlink', path };
    case 'M':
      return { kind: 'mark', value: JSON.parse(Buffer.from(bytes).toString()) };
    default:
      throw new Error(`the log has a record of unknown kind ${JSON.stringify(kind)}`);
  }
}
