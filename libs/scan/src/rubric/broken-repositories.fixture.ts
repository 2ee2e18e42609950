import { type Files, ready, withFiles, withManifest } from './facts.fixture.ts';

/** A large repository, of which an overview is expected. */
export const many = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`src/part-${at}.js`, 'x']));
export const noScripts = { scripts: { start: 'node src/main.js' } };
/** CI that runs one command. */
export const ci = (step: string) => ({ '.github/workflows/ci.yml': `steps:\n  - run: ${step}\n` });

/** For each check a repository that fails it, and nothing else. */
export const brokenRepositories: Record<string, Files> = {
  'test-command': withFiles(withManifest(noScripts), {
    'parts/Makefile': 'check:\n\tnode --test\n',
    'AGENTS.md': 'Run `make check` in `parts/`.\n',
    ...ci('cd parts && make check'),
  }),
  'tests-in-ci': withFiles(ready, ci('npm ci')),
  lockfile: withFiles(ready, { 'package-lock.json': undefined }),
  types: withFiles(ready, { 'tsconfig.json': undefined }),
  linter: withFiles(ready, { 'biome.json': undefined }),
  hooks: withFiles(ready, { '.pre-commit-config.yaml': undefined }),
  'one-command': withFiles(withManifest({ scripts: { test: 'node --test' } }), {
    '.devcontainer/devcontainer.json': undefined,
    '.claude/settings.json': '{"permissions":{"deny":["Read(.env)"]}}',
  }),
  'pinned-runtime': withFiles(withManifest({ engines: undefined }), {
    '.devcontainer/devcontainer.json': undefined,
    '.claude/settings.json': '{"permissions":{"deny":["Read(.env)"]}}',
  }),
  'environment-example': withFiles(ready, { '.env.example': undefined }),
  instructions: withFiles(ready, { 'AGENTS.md': undefined }),
  'instructions-short': withFiles(ready, { 'AGENTS.md': `Run \`npm test\`.\n${'- a rule\n'.repeat(250)}` }),
  'instructions-test-command': withFiles(ready, { 'AGENTS.md': 'Run `npm run test:all`.\n' }),
  'instructions-paths': withFiles(ready, { 'AGENTS.md': 'Run `npm test`.\n\nSee `src/fares.js`.\n' }),
  readme: withFiles(ready, { 'README.md': '# Ferry\n' }),
  map: withFiles({ ...ready, ...many }, { 'docs/architecture.md': undefined }),
  'no-build-output': withFiles(ready, { 'node_modules/left-pad/index.js': 'x' }),
  'no-secret-files': withFiles(ready, { '.env': 'KEY=1\n' }),
  owners: withFiles(ready, { CODEOWNERS: undefined }),
  boundaries: withFiles(ready, { '.devcontainer/devcontainer.json': undefined }),
};
