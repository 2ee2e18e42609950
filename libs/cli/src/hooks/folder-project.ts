import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** Bytes of a git configuration that are looked at. */
const maxConfigBytes = 256 * 1024;
/** The longest slug. */
const maxSlugLength = 64;

/**
 * Returns the slugs that the project of a folder may have, the likeliest first: the name of the repository at its remote,
 * of the repository's folder, and of the folder. Nothing of the repository is executed.
 */
export async function projectSlugsOf(folder: string): Promise<string[]> {
  const start = resolve(folder);
  const root = await repositoryOf(start);
  const remote = root === undefined ? undefined : await remoteNameOf(root);
  const names = [remote, root === undefined ? undefined : basename(root), basename(start)];
  return [...new Set(names.flatMap((name) => (name === undefined ? [] : [slugOf(name)])))].filter(
    (slug) => slug !== '',
  );
}

async function repositoryOf(start: string): Promise<string | undefined> {
  for (let at = start; ; at = dirname(at)) {
    if ((await stat(join(at, '.git')).catch(() => undefined)) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Returns the last part of the address of `origin`; undefined without one. A worktree has its folder's name only. */
async function remoteNameOf(root: string): Promise<string | undefined> {
  const path = join(root, '.git', 'config');
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size === 0 || size > maxConfigBytes) return undefined;
  const text = await readFile(path, 'utf8').catch(() => '');
  let isOrigin = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('[')) isOrigin = line.trim() === '[remote "origin"]';
    const [, address] = /^\s*url\s*=\s*(\S.*)$/.exec(line) ?? [];
    if (!isOrigin || address === undefined) continue;
    const parts = address
      .trim()
      .replace(/[/\\]+$/, '')
      .split(/[/\\:]/);
    return parts.at(-1)?.replace(/\.git$/, '');
  }
  return undefined;
}

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength);
  return slug.replace(/^-+|-+$/g, '');
}
