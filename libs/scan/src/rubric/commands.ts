import { isTest, sourceIn, type Unit } from './kinds.ts';
import { asObject, below, nameOf, type Repository } from './repository.ts';
import { foreignFolders, justFiles, makeFiles } from './wanted-files.ts';

/** A command that checks work, as a text names it. */
export interface NamedCommand {
  /** Such as `npm test` or `make check`. */
  command: string;
  /** From 1. */
  line: number;
  /** Whether the repository has what the command runs. */
  exists: boolean;
}

/** Targets of one line that are looked at. */
const maxTargetsOfLine = 20;
/** Names of scripts, targets and tasks that check work. */
const testName = /^(?:tests?|check|checks|verify|validate|spec|unit|e2e|integration|ci)(?:$|[:._-])/;
/** The script that `npm init` writes. */
const placeholder = /no test specified/;
/**
 * How npm's relatives, make and its relatives are called: with options, some of which take a word, and the name of what
 * they run, which is the last group. `deno task` has tasks of its own.
 */
const runners =
  /(?<![\w./@-]|deno[ \t])(npm|pnpm|yarn|bun|composer|gmake|make|just|task)(?:[ \t]{1,4}(?:workspace[ \t]{1,4}[\w./@-]{1,80}|-{1,2}(?:filter|prefix|workspace|dir|cwd|directory|file|[CFfw])[ \t=]{1,4}[\w./@*{}-]{1,80}|-{1,2}[\w-]{1,32}(?:=[\w./@-]{1,64})?)){0,3}[ \t]{1,4}(?:(run-script|run)[ \t]{1,4})?([\w:.-]{1,64})/g;
/** What stands before the name of a package that is installed, and not run. */
const installs =
  /\b(?:pip3?|pipx|uv|poetry|npm|pnpm|yarn|gem|apt|apt-get|brew|go|cargo)\b[^&|;]*\b(?:install|add)\b[^&|;]*$/;
/** Characters before a command in which that is looked for. */
const installCharacters = 200;

/** Programs that run tests without a script, and the files without which they would find no test. */
const programs: readonly { pattern: RegExp; needs: RegExp }[] = [
  {
    pattern: /(?<![\w./-])cargo[ \t]{1,4}(?:\+\w{1,20}[ \t]{1,4})?(?:nextest|test)\b/g,
    needs: /(?:^|\/)Cargo\.toml$/,
  },
  { pattern: /(?<![\w./-])go[ \t]{1,4}test\b/g, needs: /_test\.go$/ },
  {
    pattern:
      /(?<![\w./-])(?:pytest|py\.test|tox|nox|python3?[ \t]{1,4}-m[ \t]{1,4}(?:pytest|unittest)|manage\.py[ \t]{1,4}test)(?![\w./-])/g,
    needs:
      /(?:^|\/)(?:test_[^/]+|[^/]+_test|tests?\/.*|tests)\.py$|(?:^|\/)(?:tox\.ini|noxfile\.py|conftest\.py)$/,
  },
  {
    pattern:
      /(?<![\w-])(?:gradlew?|gradlew\.bat)[ \t]{1,4}(?:[:\w-]{1,64}[ \t]{1,4}){0,3}(?:\w{1,32}:)?(?:test|check|build)\b/g,
    needs: /(?:^|\/)build\.gradle(?:\.kts)?$/,
  },
  {
    pattern:
      /(?<![\w-])(?:mvnw?)[ \t]{1,4}(?:[-\w.=]{1,64}[ \t]{1,4}){0,4}(?:test|verify|install|package)\b/g,
    needs: /(?:^|\/)pom\.xml$/,
  },
  { pattern: /(?<![\w./-])dotnet[ \t]{1,4}test\b/g, needs: /\.(?:cs|fs|vb)proj$|\.slnx?$/ },
  { pattern: /(?<![\w./-])swift[ \t]{1,4}test\b/g, needs: /(?:^|\/)Package\.swift$/ },
  { pattern: /(?<![\w./-])mix[ \t]{1,4}test\b/g, needs: /(?:^|\/)mix\.exs$/ },
  { pattern: /(?<![\w./-])(?:stack|cabal)[ \t]{1,4}test\b/g, needs: /\.cabal$|(?:^|\/)stack\.yaml$/ },
  {
    pattern: /(?<![\w.-])(?:rspec|rake[ \t]{1,4}(?:test|spec)|rails[ \t]{1,4}test)\b/g,
    needs: /(?:^|\/)(?:Rakefile|spec\/.+\.rb|test\/.+\.rb)$/,
  },
  {
    pattern: /(?<![\w.-])(?:(?:simple-)?phpunit|pest)(?![\w.-])/g,
    needs: /(?:^|\/)(?:phpunit\.xml(?:\.dist)?|tests\/Pest\.php)$/,
  },
  { pattern: /(?<![\w./-])bun[ \t]{1,4}test\b/g, needs: /(?:^|\/)package\.json$/ },
  {
    pattern: /(?<![\w./-])deno[ \t]{1,4}(?:task[ \t]{1,4})?test\b/g,
    needs: /(?:^|\/)deno\.jsonc?$|[._]test\.[jt]sx?$/,
  },
  { pattern: /(?<![\w./-])ctest\b/g, needs: /(?:^|\/)CMakeLists\.txt$/ },
  { pattern: /(?<![\w./-])bazel(?:isk)?[ \t]{1,4}test\b/g, needs: /(?:^|\/)(?:WORKSPACE|MODULE\.bazel)$/ },
  {
    pattern:
      /(?<![\w./@-])(?:vitest|jest|mocha|ava|playwright[ \t]{1,4}test|cypress[ \t]{1,4}run|node[ \t]{1,4}--test|turbo[ \t]{1,4}(?:run[ \t]{1,4})?test|nx[ \t]{1,4}(?:test|(?:run-many|affected)[^\n]{0,60}[ =]test))(?![\w./@-])/g,
    needs: /(?:^|\/)package\.json$/,
  },
];

/** A file of the repository that a text starts. */
const startedFiles = /(?<![\w./-])\.\/([\w./-]{1,100})/g;
/** Files that run tests, by their names. */
const testScripts = /^(?:(?:scripts?|bin)\/)?(?:run[_-]?)?tests?(?:\.sh)?$/;

/** Finds what a text says about running tests, in the order of its lines. `skip` leaves lines out, such as comments. */
export function testCommandsIn(repository: Repository, text: string, skip?: RegExp): NamedCommand[] {
  const known = runnableNames(repository);
  return text.split('\n').flatMap((content, index) => {
    if (skip?.test(content)) return [];
    const line = index + 1;
    const found: NamedCommand[] = [];
    for (const [command, tool = '', run, name = ''] of content.matchAll(runners)) {
      const isScript = !/^(?:g?make|just|task)$/.test(tool);
      // `npm ci` installs, where `npm run ci` and `make ci` check.
      if (!testName.test(name) || (isScript && !run && /^ci$/.test(name))) continue;
      const exists = isScript
        ? known.scripts.has(name) || known.mayHaveScripts
        : known.targets.has(name) || known.mayHaveTargets;
      // Bun runs tests by itself.
      if (tool === 'bun' && !run && !exists) continue;
      found.push({ command, line, exists });
    }
    for (const [, path = ''] of content.matchAll(startedFiles)) {
      if (testScripts.test(path) && repository.has(path))
        found.push({ command: `./${path}`, line, exists: true });
    }
    for (const { pattern, needs } of programs) {
      for (const { 0: command, index: at } of content.matchAll(pattern)) {
        if (installs.test(content.slice(Math.max(0, at - installCharacters), at))) continue;
        found.push({ command, line, exists: repository.first(needs) !== undefined });
      }
    }
    return found;
  });
}

interface RunnableNames {
  /** What a script of package.json or composer.json runs, by its name. */
  scripts: ReadonlyMap<string, string[]>;
  /** The recipe of a target, by its name. */
  targets: ReadonlyMap<string, string[]>;
  /** Whether there may be others, in files that were not read whole. What may exist counts as existing. */
  mayHaveScripts: boolean;
  mayHaveTargets: boolean;
}

const scriptManifests = /(?:^|\/)(?:package|composer)\.json$/;

const namesOf = new WeakMap<Repository, RunnableNames>();

/** Returns the scripts and targets of the whole repository. They are collected once. */
export function runnableNames(repository: Repository): RunnableNames {
  const known = namesOf.get(repository);
  if (known !== undefined) return known;
  const scripts = new Map<string, string[]>();
  for (const [path] of repository.textsOf(scriptManifests)) {
    for (const [name, body] of Object.entries(asObject(repository.object(path).scripts))) {
      add(scripts, name, typeof body === 'string' ? body : JSON.stringify(body));
    }
  }
  const targets = new Map<string, string[]>();
  for (const pattern of [makeFiles, justFiles]) {
    for (const [, text] of repository.textsOf(pattern)) {
      for (const [name, recipe] of recipesOf(text)) add(targets, name, recipe);
    }
  }
  const mayHave = (...patterns: RegExp[]) =>
    repository.paths.some(
      (path) =>
        patterns.some((pattern) => pattern.test(path)) &&
        !foreignFolders.test(path) &&
        repository.isUncertain(path),
    );
  const names = {
    scripts,
    targets,
    mayHaveScripts: mayHave(scriptManifests),
    mayHaveTargets: mayHave(makeFiles, justFiles),
  };
  namesOf.set(repository, names);
  return names;
}

function add(names: Map<string, string[]>, name: string, body: string): void {
  names.set(name, [...(names.get(name) ?? []), body]);
}

/** Reads the targets of a make file, a justfile or a Taskfile, each with the lines below it. */
function recipesOf(text: string): [name: string, recipe: string][] {
  const found: { names: string[]; lines: string[] }[] = [];
  for (const content of text.split('\n')) {
    const [, left, right = ''] =
      /^(?: {2})?@?([\w./%-][\w./% :*="'-]{0,200}?):(?![=:])([^\n]*)$/.exec(content) ?? [];
    if (left !== undefined) {
      found.push({ names: left.split(/[ :]/, maxTargetsOfLine).filter(Boolean), lines: [right] });
    } else {
      found.at(-1)?.lines.push(content);
    }
  }
  return found.flatMap(({ names, lines }) => names.map((name): [string, string] => [name, lines.join('\n')]));
}

/** How the tests of a unit are run. */
export interface TestCommand {
  command: string;
  /** The file that says so. */
  path: string;
}

/** Finds a command that runs the tests of a unit, in its own files. */
export function findTestCommand(unit: Unit): TestCommand | undefined {
  const { repository, folder, paths } = unit;
  for (const [name, tool] of [
    ['package.json', 'npm run'],
    ['composer.json', 'composer'],
  ] as const) {
    const path = below(folder, name);
    for (const [script, body] of Object.entries(asObject(repository.object(path).scripts))) {
      if (testName.test(script) && !(typeof body === 'string' && placeholder.test(body))) {
        return { command: `${tool} ${script}`, path };
      }
    }
  }
  for (const path of paths) {
    const tool = makeFiles.test(path) ? 'make' : justFiles.test(path) ? 'just' : undefined;
    if (tool === undefined || path !== below(folder, nameOf(path))) continue;
    const target = recipesOf(repository.text(path) ?? '').find(([name]) => testName.test(name));
    if (target !== undefined) return { command: `${tool} ${target[0]}`, path };
  }
  const script = paths.find((path) => testScripts.test(folder === '' ? path : path.slice(folder.length + 1)));
  if (script !== undefined) return { command: `./${script}`, path: script };
  return ecosystems.flatMap(({ manifest, command, tests }) => {
    const path = paths.find((each) => each === below(folder, nameOf(each)) && manifest.test(nameOf(each)));
    const hasTests = tests === undefined || paths.some((each) => tests.test(each));
    return path !== undefined && hasTests ? [{ command, path }] : [];
  })[0];
}

/** Tools whose test command needs no definition, with the tests without which it would run nothing. */
const ecosystems: readonly { manifest: RegExp; command: string; tests?: RegExp }[] = [
  // Tests of Rust stand within the sources.
  { manifest: /^Cargo\.toml$/, command: 'cargo test' },
  { manifest: /^go\.mod$/, command: 'go test ./...', tests: /_test\.go$/ },
  {
    manifest: /^(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|pytest\.ini|noxfile\.py|requirements\.txt)$/,
    command: 'pytest',
    tests: /(?:^|\/)(?:test_[^/]+|[^/]+_test)\.py$|(?:^|\/)tests?\/.+\.py$/,
  },
  { manifest: /^build\.gradle(?:\.kts)?$/, command: 'gradle test', tests: /(?:^|\/)src\/\w*[tT]est\// },
  { manifest: /^pom\.xml$/, command: 'mvn test', tests: /(?:^|\/)src\/test\// },
  { manifest: /\.(?:slnx?|csproj|fsproj)$/, command: 'dotnet test', tests: /Tests?\b[^/]*\.(?:cs|fs)/ },
  { manifest: /^Package\.swift$/, command: 'swift test', tests: /(?:^|\/)Tests\// },
  { manifest: /^mix\.exs$/, command: 'mix test', tests: /_test\.exs$/ },
  { manifest: /^stack\.yaml$/, command: 'stack test', tests: /(?:^|\/)tests?\/.+\.hs$/ },
  { manifest: /\.cabal$/, command: 'cabal test', tests: /(?:^|\/)tests?\/.+\.hs$/ },
  { manifest: /^CMakeLists\.txt$/, command: 'ctest', tests: /(?:^|\/)tests?\/(?:.+\/)?CMakeLists\.txt$/ },
  {
    manifest: /^(?:Gemfile|Rakefile)$/,
    command: 'bundle exec rake',
    tests: /(?:^|\/)(?:spec|test)\/.+\.rb$/,
  },
  { manifest: /^phpunit\.xml(?:\.dist)?$/, command: 'phpunit' },
  { manifest: /^deno\.jsonc?$/, command: 'deno test', tests: /[._]test\.[jt]sx?$/ },
  { manifest: /^MODULE\.bazel$/, command: 'bazel test //...' },
];

/** Whether a unit has files that are tests. */
export function hasTests(unit: Unit): boolean {
  return unit.sources.some(isTest) || sourceIn(unit, /\.rs$/) !== undefined;
}
