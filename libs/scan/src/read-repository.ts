import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { runGit } from './git.ts';
import type { RepositoryFacts } from './rubric/repository.ts';
import { wantedFiles } from './rubric/wanted-files.ts';

/** Bytes that are read of a file; what checks look for stands in its beginning. */
const maxFileBytes = 64 * 1024;
/** Files that are open at once. */
const readers = 16;

/**
 * Reads the names of the tracked files of a repository and the texts that checks need. Links that lead out of the
 * repository, or to what is no file, are not followed. Throws ScanError `git_failed` or `too_large`.
 */
export async function readRepository(
  root: string,
  options: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<RepositoryFacts> {
  const listed = await runGit(root, ['ls-files', '-z', '--cached'], options);
  // A conflict lists a file three times.
  const paths = [...new Set(listed.split('\0'))].filter((path) => path !== '');
  const texts = new Map<string, string>();
  const cut = new Set<string>();
  const realRoot = await realpath(root);
  const wanted = wantedFiles(paths).values();
  const readSome = async () => {
    for (const path of wanted) {
      options.signal.throwIfAborted();
      const read = await readBeginning(realRoot, path);
      if (read === undefined) continue;
      texts.set(path, read.text);
      if (read.isCut) cut.add(path);
    }
  };
  await Promise.all(Array.from({ length: readers }, readSome));
  return { paths, texts: new Map([...texts].sort(([one], [other]) => (one < other ? -1 : 1))), cut };
}

async function readBeginning(
  realRoot: string,
  path: string,
): Promise<{ text: string; isCut: boolean } | undefined> {
  try {
    const real = await realpath(join(realRoot, path));
    if (!real.startsWith(realRoot + sep) || real.startsWith(join(realRoot, '.git') + sep)) return undefined;
    // A pipe would block, and a link that came since would lead elsewhere. Windows has neither flag.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const file = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return undefined;
      const buffer = Buffer.alloc(maxFileBytes + 1);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      const text = buffer.toString('utf8', 0, Math.min(bytesRead, maxFileBytes));
      return { text: text.replaceAll('\r\n', '\n'), isCut: bytesRead > maxFileBytes };
    } finally {
      await file.close();
    }
  } catch {
    // A file that cannot be read is one whose text is unknown.
    return undefined;
  }
}
