import { type Check, doesNotApply, fail, type Outcome, pass, unknown } from './check.ts';
import { findTestCommand, hasTests, runnableNames, testCommandsIn } from './commands.ts';
import { dependenciesOf, fileFor, type Unit } from './kinds.ts';
import { asObject, below, type Repository } from './repository.ts';
import { ciFiles, scriptFiles } from './wanted-files.ts';

const comments = /^\s{0,200}(?:#|\/\/)/;
/** A step that lies in another repository, where nothing can be read. */
const elsewhere =
  /^[\s-]{0,200}(?:uses:[ \t]{1,4}\S{1,200}\.ya?ml@|(?:project|remote|template|component):[ \t]{1,4}\S)/m;

function testCommand(unit: Unit): Outcome {
  const own = findTestCommand(unit);
  if (own !== undefined) return pass(`${own.command} runs the tests.`, own.path);
  const { repository, folder } = unit;
  if (folder !== '' && hasTests(unit)) {
    const shared = findTestCommand({ ...unit, folder: '', paths: repository.rootPaths });
    if (shared !== undefined) return pass(`${shared.command} of the root runs the tests.`, shared.path);
  }
  const manifest = ['package.json', 'Makefile', 'GNUmakefile']
    .map((name) => below(folder, name))
    .find((path) => repository.isUncertain(path));
  if (manifest !== undefined) return unknown(`${manifest} was not read whole.`, manifest);
  return fail('No command that runs tests was found.');
}

/** Languages whose tests Travis CI runs without being told how. */
const travisDefault = /^language:[ \t]{0,9}(?!["']?(?:python|bash|shell|sh|generic|minimal)\b)\S/m;

function testsInCi(unit: Unit): Outcome {
  const { repository } = unit;
  const files = repository.paths.filter((path) => ciFiles.test(path));
  if (files.length === 0) return fail('No CI is set up.');
  let missing: { path: string; line: number; command: string } | undefined;
  for (const path of files) {
    const text = repository.text(path) ?? '';
    const found = testCommandsIn(repository, text, comments);
    const existing = found.find(({ exists }) => exists);
    if (existing !== undefined) return pass(`CI runs ${existing.command}.`, path, existing.line);
    const [first] = found;
    if (first !== undefined) missing ??= { path, line: first.line, command: first.command };
    const usual = path === '.travis.yml' && travisDefault.test(text) && !/^script:/m.test(text);
    if (usual && findTestCommand(unit) !== undefined) {
      return pass('Travis CI runs the tests of this language by itself.', path);
    }
    if (startedTexts(repository, text).some((started) => runsTests(repository, started))) {
      return pass('CI starts a script that runs tests.', path);
    }
  }
  if (missing !== undefined) {
    return fail(
      `CI runs ${missing.command}, which the repository does not have.`,
      missing.path,
      missing.line,
    );
  }
  const open = files.find(
    (path) => repository.isUncertain(path) || elsewhere.test(repository.text(path) ?? ''),
  );
  if (open !== undefined) return unknown('CI runs steps that cannot be read here.', open);
  return fail('CI runs no tests.', files[0]);
}

function runsTests(repository: Repository, text: string): boolean {
  return testCommandsIn(repository, text, comments).some(({ exists }) => exists);
}

/** Returns the scripts and recipes that a text of CI starts, one step deep. */
function startedTexts(repository: Repository, text: string): string[] {
  const { scripts, targets } = runnableNames(repository);
  const code = text
    .split('\n')
    .filter((line) => !comments.test(line))
    .join('\n');
  const named = (names: ReadonlyMap<string, string[]>, pattern: RegExp) =>
    [...code.matchAll(pattern)].flatMap(([, name = '']) => names.get(name) ?? []);
  const files = repository.textsOf(scriptFiles).filter(([path]) => code.includes(path));
  return [
    ...named(scripts, /\b(?:npm|pnpm|yarn|bun|composer)[ \t]{1,4}(?:run[ \t]{1,4})?([\w:.-]{1,64})/g),
    ...named(targets, /\b(?:make|just|task)[ \t]{1,4}([\w:.-]{1,64})/g),
    ...files.map(([, script]) => script),
  ].slice(0, maxScripts);
}

/** Scripts followed from one file of CI. */
const maxScripts = 50;

const lockfiles =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|uv\.lock|poetry\.lock|Pipfile\.lock|pdm\.lock|pixi\.lock|requirements[^/]*\.lock|Gemfile\.lock|composer\.lock|mix\.lock|Package\.resolved|gradle\.lockfile|packages\.lock\.json|pubspec\.lock|flake\.lock)$/;

function lockfile(unit: Unit): Outcome {
  const { repository, folder, kind } = unit;
  const found = fileFor(unit, lockfiles);
  if (found !== undefined) return pass('The versions of dependencies are locked.', found);
  const manifests: [name: string, needsLock: boolean][] = [
    ['package.json', dependenciesOf(repository, folder).length > 0],
    [
      'go.mod',
      /^[ \t]{0,9}(?:require\b|[\w.-]+\.\w+\/\S+ v\d)/m.test(repository.text(below(folder, 'go.mod')) ?? ''),
    ],
    ['pyproject.toml', dependenciesOf(repository, folder).length > 0],
    // Every line with == is a lock of its own.
    [
      'requirements.txt',
      /^[\w.[\]-]{1,99}[ \t]{0,4}(?:$|[<>~!;#])/m.test(
        repository.text(below(folder, 'requirements.txt')) ?? '',
      ),
    ],
    // Their own advice is that libraries commit none.
    ['Cargo.toml', kind !== 'library'],
    ['Gemfile', kind !== 'library'],
    ['composer.json', kind !== 'library'],
  ];
  const open = manifests.find(([name, needsLock]) => needsLock && repository.has(below(folder, name)));
  if (open === undefined) return doesNotApply('No dependencies need a lock file.');
  return fail('No lock file holds the versions of dependencies.', below(folder, open[0]));
}

const compiled =
  /\.(?:ts|tsx|mts|cts|rs|go|java|kts?|scala|cs|fs|swift|hs|ml|dart|c|h|cc|cpp|cxx|hpp|m|mm|zig)$/i;
const untyped = /\.(?:[cm]?jsx?|py|rb|php)$/i;
const typeSettings =
  /^(?:tsconfig[^/]*\.json|mypy\.ini|\.mypy\.ini|pyrightconfig\.json|ty\.toml|sorbet\/config|Steepfile|phpstan\.neon(?:\.dist)?|psalm\.xml(?:\.dist)?|\.flowconfig)$/;

function types(unit: Unit): Outcome {
  const { repository, folder, sources } = unit;
  const dynamic = sources.filter((path) => untyped.test(path)).length;
  const typed = sources.filter((path) => compiled.test(path)).length;
  if (dynamic === 0 && typed === 0) return doesNotApply('Its languages have no type checker.');
  if (typed >= dynamic) return pass('Most of its code is in a language whose types are checked.');
  const settings = fileFor(unit, typeSettings);
  if (settings !== undefined) return pass('A type checker is set up.', settings);
  for (const path of [below(folder, 'pyproject.toml'), 'pyproject.toml']) {
    const tool = asObject(repository.object(path).tool);
    if (['mypy', 'pyright', 'basedpyright', 'ty', 'pyrefly'].some((name) => tool[name] !== undefined)) {
      return pass('A type checker is set up.', path);
    }
  }
  const options = asObject(repository.object(below(folder, 'jsconfig.json')).compilerOptions);
  if (options.checkJs === true) return pass('A type checker is set up.', below(folder, 'jsconfig.json'));
  const setup = below(folder, 'setup.cfg');
  if (repository.text(setup)?.includes('[mypy')) return pass('A type checker is set up.', setup);
  return fail('No type checker is set up.');
}

const linterSettings =
  /^(?:\.eslintrc[^/]*|eslint\.config\.[cm]?[jt]s|biome\.jsonc?|\.oxlintrc\.json|oxlint\.config\.ts|\.?ruff\.toml|\.flake8|\.pylintrc|pylintrc|\.golangci\.(?:ya?ml|toml|json)|\.?clippy\.toml|\.?rustfmt\.toml|\.rubocop\.yml|\.clang-tidy|\.clang-format|checkstyle\.xml|config\/(?:checkstyle|detekt|pmd)\/.+|detekt\.ya?ml|\.swiftlint\.yml|\.credo\.exs|phpcs\.xml(?:\.dist)?|\.php-cs-fixer(?:\.dist)?\.php|pint\.json|\.scalafmt\.conf|\.standard\.ya?ml|deno\.jsonc?|\.shellcheckrc|\.tflint\.hcl)$/;
const linterWords =
  /\b(?:cargo clippy|clippy-driver|golangci-lint|go vet|staticcheck|ruff check|flake8|pylint|shellcheck|spotless|ktlint|dotnet format|eslint|standardrb|xo|oxlint)\b/;

function linter(unit: Unit): Outcome {
  const { repository, folder } = unit;
  const settings = fileFor(unit, linterSettings);
  if (settings !== undefined) return pass('A linter is set up.', settings);
  for (const path of [below(folder, 'pyproject.toml'), 'pyproject.toml']) {
    const tool = asObject(repository.object(path).tool);
    if (['ruff', 'pylint', 'flake8'].some((name) => tool[name] !== undefined))
      return pass('A linter is set up.', path);
  }
  const manifest = below(folder, 'package.json');
  const { eslintConfig, scripts } = repository.object(manifest);
  if (eslintConfig !== undefined || asObject(scripts).lint !== undefined)
    return pass('A linter is set up.', manifest);
  const files = [
    'build.gradle',
    'build.gradle.kts',
    'pom.xml',
    'pyproject.toml',
    'setup.cfg',
    'tox.ini',
    'Makefile',
  ];
  const named = [
    ...files.map((name) => below(folder, name)),
    ...repository.textsOf(ciFiles).map(([path]) => path),
  ].find((path) => linterWords.test(repository.text(path) ?? ''));
  return named === undefined ? fail('No linter is set up.') : pass('A linter is run.', named);
}

const hookFiles =
  /^(?:\.pre-commit-config\.ya?ml|\.?lefthook\.(?:ya?ml|toml|json)|\.husky\/[^/_][^/]*|\.githooks\/.+|\.overcommit\.yml|\.lintstagedrc[^/]*|lint-staged\.config\.[cm]?js|\.captainhook\.json|captainhook\.json|grumphp\.ya?ml)$/;

function hooks(unit: Unit): Outcome {
  const { repository } = unit;
  const found = fileFor(unit, hookFiles);
  if (found !== undefined) return pass('Hooks check a change before it is committed.', found);
  const manifest = repository.object('package.json');
  if (
    ['simple-git-hooks', 'husky', 'lint-staged', 'pre-commit'].some((name) => manifest[name] !== undefined)
  ) {
    return pass('Hooks check a change before it is committed.', 'package.json');
  }
  const settings = '.claude/settings.json';
  if (Object.keys(asObject(repository.object(settings).hooks)).length > 0) {
    return pass('Hooks check what an agent does.', settings);
  }
  return fail('No hooks check a change before it is committed.');
}

/** Whether an agent can find out that its work is right. */
export const verificationChecks: readonly Check[] = [
  {
    id: 'test-command',
    pillar: 'verification',
    weight: 12,
    scope: 'workspace',
    title: 'One command runs the tests',
    rests_on:
      'Agents that invest in validation succeed more often (arXiv 2604.02547, 9,374 runs); a way to verify its work is what makers of agents ask for first (code.claude.com/docs/en/best-practices).',
    fix: 'Add tests, and a script `test` in package.json, a target `test` in the Makefile, or what your tools expect.',
    notFor: ['documentation'],
    run: testCommand,
  },
  {
    id: 'tests-in-ci',
    pillar: 'verification',
    weight: 12,
    scope: 'repository',
    title: 'CI runs the tests',
    rests_on:
      "Changes of agents that are not merged often do not pass the project's CI (arXiv 2601.15195, 33,000 pull requests).",
    fix: 'Run the test command in CI for every change.',
    notFor: ['documentation'],
    run: testsInCi,
  },
  {
    id: 'lockfile',
    pillar: 'verification',
    weight: 6,
    scope: 'workspace',
    title: 'Dependencies are locked',
    rests_on: 'Reasoning: a test that fails because a dependency changed says nothing about the change.',
    fix: 'Commit the lock file of your package manager.',
    notFor: ['documentation'],
    run: lockfile,
  },
  {
    id: 'types',
    pillar: 'verification',
    weight: 5,
    scope: 'workspace',
    title: 'Types are checked',
    rests_on:
      'As for test-command; a type checker answers in seconds, without a test being written. The weight is reasoning.',
    fix: 'Set up a type checker, such as tsc with checkJs, mypy, pyright, sorbet or phpstan.',
    notFor: ['documentation'],
    run: types,
  },
  {
    id: 'linter',
    pillar: 'verification',
    weight: 5,
    scope: 'workspace',
    title: 'A linter is set up',
    rests_on: 'As for types.',
    fix: 'Set up the linter of your language, such as eslint, biome, ruff, clippy or golangci-lint.',
    notFor: ['documentation'],
    run: linter,
  },
  {
    id: 'hooks',
    pillar: 'verification',
    weight: 5,
    scope: 'repository',
    title: 'Hooks check a change',
    rests_on:
      'Testing early is the strongest predictor of success in 413,278 runs (hanchenli.github.io); a hook runs a check without being asked.',
    fix: 'Set up hooks, such as pre-commit, lefthook or husky, or hooks of your agent in .claude/settings.json.',
    notFor: ['documentation'],
    run: hooks,
  },
];
