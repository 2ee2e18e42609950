import { runGit } from './git.ts';

/** Names that the history of a repository has, and its present version has not. */
export interface GoneNames {
  /** Files and folders, relative to the root. */
  paths: ReadonlySet<string>;
  /** Scripts of the `package.json` in the root. */
  scripts: ReadonlySet<string>;
}

/** Commits that are looked at, the newest first. */
const maxCommits = 20_000;
/** Commits that changed `package.json`; each is printed with its lines. */
const maxScriptCommits = 500;
/** Nothing compares texts by a program that the repository names. */
const log = ['log', '--no-renames', '--no-ext-diff', '--no-textconv', '--format='];

/** Reads what is gone from a repository, which may be hostile. Throws ScanError as `runGit` does. */
export async function readGoneNames(
  root: string,
  options: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<GoneNames> {
  const removed = await runGit(
    root,
    [...log, '-z', '--diff-filter=D', '--name-only', '-n', `${maxCommits}`],
    options,
  );
  const present = await runGit(root, ['ls-files', '-z'], options);
  const there = withFolders(names(present));
  const paths = new Set(withFolders(names(removed)));
  for (const path of there) paths.delete(path);
  const manifests = await runGit(
    root,
    [...log, '-p', '-U0', '-n', `${maxScriptCommits}`, '--', 'package.json'],
    options,
  );
  return { paths, scripts: scriptsGone(manifests) };
}

function names(output: string): string[] {
  return output.split('\0').flatMap((name) => name.trim() || []);
}

/** Adds the folders that paths lie in. */
function withFolders(paths: readonly string[]): Set<string> {
  const all = new Set(paths);
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (all.has(folder)) break;
      all.add(folder);
    }
  }
  return all;
}

const changedScript = /^([+-])\s*"([\w:.-]{1,100})":\s*"/;

/** Reads the changes of `package.json`, newest first: of each name the newest change tells whether it is there. */
function scriptsGone(changes: string): Set<string> {
  const isThere = new Map<string, boolean>();
  const ofCommit = new Map<string, boolean>();
  const endCommit = () => {
    for (const [name, there] of ofCommit) if (!isThere.has(name)) isThere.set(name, there);
    ofCommit.clear();
  };
  for (const line of changes.split('\n')) {
    if (line.startsWith('diff --git ')) endCommit();
    const [, sign, name] = changedScript.exec(line) ?? [];
    // A line that is removed and added again was changed.
    if (name !== undefined) ofCommit.set(name, sign === '+' || ofCommit.get(name) === true);
  }
  endCommit();
  return new Set([...isThere].flatMap(([name, there]) => (there ? [] : name)));
}

/** Names of one note that are told. */
const maxTold = 10;
const notInPath = /[^\w./@+-]+/;
const runOfScript = /\b(?:npm|pnpm|yarn|bun) run ([\w:-]+(?:\.[\w:-]+)*)/g;

/** Returns what a text names of what is gone, in the order of the text, at most 10. A name without a slash or a point is none. */
export function goneNamesIn(text: string, { paths, scripts }: GoneNames): string[] {
  const found = new Set<string>();
  for (const word of text.split(notInPath)) {
    if (!word.includes('/') && !word.includes('.')) continue;
    const path = word.replace(/^\.\//, '').replace(/[./]$/, '');
    if (paths.has(path)) found.add(path);
  }
  for (const [command, script = ''] of text.matchAll(runOfScript)) {
    if (scripts.has(script)) found.add(command);
  }
  return [...found].slice(0, maxTold);
}
