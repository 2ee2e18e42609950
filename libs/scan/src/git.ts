import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ScanError } from './scan-error.ts';

/** Names of half a million files, or the log of thousands of commits. */
const maxOutputBytes = 64 * 1024 * 1024;
/** Reading an index of that size takes a second or two. */
const deadlineMs = 30_000;

/**
 * Settings of a repository that would make git run a program. The commands used here run no hooks and no filters, and
 * compare no texts; what is named here stays off even so.
 */
const harmless = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.sshCommand=false',
  'core.alternateRefsCommand=false',
  'log.showSignature=false',
  'gpg.program=false',
  'diff.external=',
];

/** Finds the root of the repository around a folder. Throws ScanError `no_repository`. */
export function findRoot(folder: string): string {
  const start = resolve(folder);
  // A name that was mistyped must not stand for the repository around it.
  if (!statSync(start, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ScanError('no_repository', `${start} is no folder.`);
  }
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(`${at}/.git`)) return at;
    if (dirname(at) === at) break;
  }
  throw new ScanError('no_repository', `${start} is in no git repository.`);
}

/**
 * Runs git in the root of a repository that nobody trusts, and returns what it prints. Nothing that the repository's own
 * settings name is executed, and nothing is fetched. Throws ScanError `git_failed` or `too_large`.
 */
export async function runGit(
  root: string,
  args: readonly string[],
  options: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<string> {
  const env: Record<string, string | undefined> = {
    PATH: options.env.PATH,
    HOME: options.env.HOME,
    XDG_CONFIG_HOME: options.env.XDG_CONFIG_HOME,
    SystemRoot: options.env.SystemRoot,
    USERPROFILE: options.env.USERPROFILE,
    // The settings of CI that trust a checkout of another user.
    GIT_CONFIG_GLOBAL: options.env.GIT_CONFIG_GLOBAL,
    // The settings of a repository may name another folder.
    GIT_WORK_TREE: root,
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // No way to reach another repository, even where objects are missing.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
  const child = spawn('git', ['--no-pager', ...harmless.flatMap((each) => ['-c', each]), ...args], {
    cwd: root,
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(deadlineMs)]),
    killSignal: 'SIGKILL',
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxOutputBytes) chunks.push(chunk);
    else child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(0, 500);
  });
  const code = await new Promise<number | null>((done, failed) => {
    child.on('error', failed);
    child.on('close', done);
  }).catch((thrown: NodeJS.ErrnoException) => {
    options.signal.throwIfAborted();
    const reason = thrown.code === 'ENOENT' ? 'git is not installed' : 'git did not end in time';
    throw new ScanError('git_failed', `The repository cannot be read: ${reason}.`);
  });
  if (bytes > maxOutputBytes) throw new ScanError('too_large', 'The repository has too many files.');
  if (code !== 0)
    throw new ScanError('git_failed', `The repository cannot be read: ${said.trim() || 'git failed'}`);
  return Buffer.concat(chunks).toString('utf8');
}
