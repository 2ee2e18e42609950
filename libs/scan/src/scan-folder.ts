import { basename } from 'node:path';
import { countContributions } from './contributions.ts';
import { findRoot, runGit } from './git.ts';
import { readRepository } from './read-repository.ts';
import { type RepositoryScan, scanRepository } from './rubric/scan-repository.ts';
import { codebaseName, type ScanBody, scanBody } from './scan-body.ts';

/** A scan of a repository on this machine. */
export interface FolderScan {
  root: string;
  scan: RepositoryScan;
  /** What the service takes; undefined for a repository without a commit. */
  body: ScanBody | undefined;
}

/**
 * Scans the repository around a folder, as its tracked files are now. Nothing of it is executed, and nothing is sent.
 * Throws ScanError.
 */
export async function scanFolder(
  folder: string,
  options: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal; now: Date },
): Promise<FolderScan> {
  const root = findRoot(folder);
  const facts = await readRepository(root, options);
  const scan = scanRepository(facts, options.now.toISOString().slice(0, 10));
  // An empty repository answers with the name of what it cannot find.
  const head = (await runGit(root, ['rev-parse', '--revs-only', 'HEAD'], options)).trim();
  if (head === '') return { root, scan, body: undefined };
  const remote = await runGit(root, ['config', '--default', '', '--get', 'remote.origin.url'], options);
  const body = scanBody(scan, {
    paths: facts.paths,
    codebase: codebaseName(remote.trim(), basename(root) || 'codebase'),
    headSha: head,
    contributions: await countContributions(root, scan.settings.members, options),
  });
  return { root, scan, body };
}
