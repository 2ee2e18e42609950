import { type Check, doesNotApply, fail, type Outcome, pass, unknown } from './check.ts';
import { testCommandsIn } from './commands.ts';
import type { Unit } from './kinds.ts';
import { below, folderOf, type Repository } from './repository.ts';
import { instructionFiles } from './wanted-files.ts';

/** The length that makers of agents ask for (code.claude.com/docs/en/memory). */
const maxLines = 200;
/** Two hundred lines of eighty characters. */
const maxCharacters = 16_000;

const noFile = doesNotApply('There is no instruction file.');

/** Returns the instruction files, in their order of precedence, and what was read of them. */
function instructions(repository: Repository): [path: string, text: string | undefined][] {
  const paths = repository.paths.filter((path) => instructionFiles.test(path));
  return paths.map((path) => [path, repository.text(path)]);
}

function present({ repository }: Unit): Outcome {
  const [first] = instructions(repository);
  if (first === undefined) return fail('There is no instruction file.');
  const [path, text] = first;
  if (text === undefined) return unknown('The instruction file cannot be read.', path);
  return text.trim() === ''
    ? fail('The instruction file is empty.', path)
    : pass('There is an instruction file.', path);
}

function short({ repository }: Unit): Outcome {
  const files = instructions(repository);
  if (files.length === 0) return noFile;
  for (const [path, text = ''] of files) {
    const { length } = text.trimEnd().split('\n');
    if (length > maxLines) return fail(`It has more than ${maxLines} lines.`, path, maxLines + 1);
    if (text.length > maxCharacters) return fail(`It has more than ${maxCharacters} characters.`, path);
  }
  const [path] = files.find(([, text]) => text === undefined) ?? [];
  return path === undefined
    ? pass('The instructions are short.', files[0]?.[0])
    : unknown('It cannot be read.', path);
}

function namesTestCommand({ repository }: Unit): Outcome {
  const files = instructions(repository);
  if (files.length === 0) return noFile;
  let existing: Outcome | undefined;
  for (const [path, text = ''] of files) {
    const missing = testCommandsIn(repository, codeOf(text)).find(({ exists }) => !exists);
    if (missing !== undefined) {
      const { command, line } = missing;
      return fail(`It names ${command}, which the repository does not have.`, path, line);
    }
    const named = testCommandsIn(repository, text).find(({ exists }) => exists);
    if (named !== undefined) existing ??= pass(`It names ${named.command}.`, path, named.line);
  }
  if (existing !== undefined) return existing;
  const open = files.find(([path]) => repository.isUncertain(path));
  if (open !== undefined) return unknown('It was not read whole.', open[0]);
  return fail('The instructions name no command that runs tests.', files[0]?.[0]);
}

/** Returns the code of a text on its lines: blocks between fences, and what is between backticks. */
function codeOf(text: string): string {
  let isFenced = false;
  return text
    .split('\n')
    .map((content) => {
      if (/^\s{0,9}(?:```|~~~)/.test(content)) {
        isFenced = !isFenced;
        return '';
      }
      // In prose, "make tests pass" names no target.
      return isFenced
        ? content
        : content
            .split('`')
            .filter((_, index) => index % 2 === 1)
            .join(' ; ');
    })
    .join('\n');
}

/** A path between backticks, or of a link. */
const namedPaths = /(?:`|\]\()(?:\.\/)?([\w.-]{1,100}(?:\/[\w.-]{1,100}){1,20}\/?)(?:`|\))/g;
const fileEnds =
  /\.(?:md|mdx|[cm]?[jt]sx?|json|ya?ml|toml|py|go|rs|java|kt|rb|php|cs|swift|sh|proto|sql|css|html)$/;

function namesPaths({ repository }: Unit): Outcome {
  const files = instructions(repository);
  if (files.length === 0) return noFile;
  const ignored = repository.text('.gitignore') ?? '';
  let judged = 0;
  for (const [path, text = ''] of files) {
    for (const [index, content] of text.split('\n').entries()) {
      for (const [, named = ''] of content.matchAll(namedPaths)) {
        const verdict = existsOrNot(repository, folderOf(path), named.replace(/\/$/, ''), ignored);
        if (verdict === undefined) continue;
        judged += 1;
        if (!verdict) return fail(`It names ${named}, which the repository does not have.`, path, index + 1);
      }
    }
  }
  return judged === 0
    ? doesNotApply('The instructions name no paths.')
    : pass('The paths that it names exist.', files[0]?.[0]);
}

/** Whether a path exists, from the root or the file's own folder. Undefined for what may be no path, or is not tracked. */
function existsOrNot(
  repository: Repository,
  folder: string,
  named: string,
  ignored: string,
): boolean | undefined {
  for (const path of [named, below(folder, named)]) {
    if (repository.has(path) || repository.hasFolder(path)) return true;
  }
  const segments = named.split('/');
  const [first = ''] = segments;
  // What git ignores, such as build output, may exist on another machine.
  if (segments.some((each) => each.length > 2 && ignored.includes(each))) return undefined;
  if (repository.hasFolder(first)) return false;
  return fileEnds.test(named) && !first.includes('.') ? false : undefined;
}

/** Whether what agents are told is true. A missing file costs little: such files help little. */
export const instructionChecks: readonly Check[] = [
  {
    id: 'instructions',
    pillar: 'instructions',
    weight: 3,
    scope: 'repository',
    title: 'There is an instruction file',
    rests_on:
      'Such files do not raise success in general, but what they say is followed (arXiv 2602.11988, second version).',
    fix: 'Write an AGENTS.md of a few lines by hand: what is not standard here, and how to run the tests.',
    notFor: [],
    run: present,
  },
  {
    id: 'instructions-short',
    pillar: 'instructions',
    weight: 3,
    scope: 'repository',
    title: 'Instructions are short',
    rests_on:
      'Unnecessary requirements make tasks harder, and files raise the cost by a fifth (arXiv 2602.11988); at most 200 lines are advised (code.claude.com/docs/en/memory).',
    fix: `Keep every instruction file within ${maxLines} lines; move the rest into pages that it links.`,
    notFor: [],
    run: short,
  },
  {
    id: 'instructions-test-command',
    pillar: 'instructions',
    weight: 5,
    scope: 'repository',
    title: 'Instructions name a test command that exists',
    rests_on:
      'Instructions are followed, so agents run the tests that a file names (arXiv 2602.11988), and validation goes with success (arXiv 2604.02547).',
    fix: 'Name the command that runs the tests, and correct the one that does not exist.',
    notFor: ['documentation'],
    run: namesTestCommand,
  },
  {
    id: 'instructions-paths',
    pillar: 'instructions',
    weight: 4,
    scope: 'repository',
    title: 'Paths in instructions exist',
    rests_on: 'Reasoning: instructions are followed, so a path that is gone costs a search each time.',
    fix: 'Correct or remove the path.',
    notFor: [],
    run: namesPaths,
  },
];
