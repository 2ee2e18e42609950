import { t } from '../../language/language.ts';

/** A check in words. */
export interface CheckWords {
  title: string;
  /** What to do if it fails. */
  fix: string;
}

/** The checks of tms scan by their names. Scans of other tools have others, which keep their names. */
const words: ReadonlyMap<string, CheckWords> = new Map([
  [
    'test-command',
    {
      title: t('One command runs the tests'),
      fix: t(
        'Add tests, and a script `test` in package.json, a target `test` in the Makefile, or what your tools expect.',
      ),
    },
  ],
  ['tests-in-ci', { title: t('CI runs the tests'), fix: t('Run the test command in CI for every change.') }],
  [
    'lockfile',
    { title: t('Dependencies are locked'), fix: t('Commit the lock file of your package manager.') },
  ],
  [
    'types',
    {
      title: t('Types are checked'),
      fix: t('Set up a type checker, such as tsc with checkJs, mypy, pyright, sorbet or phpstan.'),
    },
  ],
  [
    'linter',
    {
      title: t('A linter is set up'),
      fix: t('Set up the linter of your language, such as eslint, biome, ruff, clippy or golangci-lint.'),
    },
  ],
  [
    'hooks',
    {
      title: t('Hooks check a change'),
      fix: t(
        'Set up hooks, such as pre-commit, lefthook or husky, or hooks of your agent in .claude/settings.json.',
      ),
    },
  ],
  [
    'one-command',
    {
      title: t('One command makes it run'),
      fix: t('Add a script `start` or `dev`, a target `setup`, a compose file or a dev container.'),
    },
  ],
  [
    'pinned-runtime',
    {
      title: t('The runtime is pinned'),
      fix: t(
        'Name the version, for example in .nvmrc, .python-version, rust-toolchain.toml, `engines` or `requires-python`.',
      ),
    },
  ],
  [
    'environment-example',
    {
      title: t('An example names the environment'),
      fix: t('Commit an .env.example with every setting and no secret.'),
    },
  ],
  [
    'instructions',
    {
      title: t('There is an instruction file'),
      fix: t(
        'Write an AGENTS.md of a few lines by hand: what is not standard here, and how to run the tests.',
      ),
    },
  ],
  [
    'instructions-short',
    {
      title: t('Instructions are short'),
      fix: t('Keep every instruction file within 200 lines; move the rest into pages that it links.'),
    },
  ],
  [
    'instructions-test-command',
    {
      title: t('Instructions name a test command that exists'),
      fix: t('Name the command that runs the tests, and correct the one that does not exist.'),
    },
  ],
  ['instructions-paths', { title: t('Paths in instructions exist'), fix: t('Correct or remove the path.') }],
  [
    'readme',
    {
      title: t('A README says what this is'),
      fix: t('Write a README: what it is, how to run it, how to test it.'),
    },
  ],
  [
    'map',
    {
      title: t('A page says where what is'),
      fix: t(
        'Write a docs/architecture.md that names the main folders and why they are so, or keep records of decisions.',
      ),
    },
  ],
  [
    'no-build-output',
    {
      title: t('No build output is tracked'),
      fix: t('Remove it from git with `git rm --cached`, and name it in .gitignore.'),
    },
  ],
  [
    'no-secret-files',
    {
      title: t('No secret files are tracked'),
      fix: t('Remove the file, rotate what it held, and name it in .gitignore.'),
    },
  ],
  ['owners', { title: t('Somebody reviews changes'), fix: t('Add a CODEOWNERS file.') }],
  [
    'boundaries',
    {
      title: t('It says what agents may do'),
      fix: t(
        'Add a dev container, or permissions for your agent, such as .claude/settings.json or .codex/config.toml.',
      ),
    },
  ],
]);

/** Returns the name of a check, and for a known check what to do when it fails. */
export function checkWords(check: string): CheckWords {
  return words.get(check) ?? { title: check, fix: '' };
}
