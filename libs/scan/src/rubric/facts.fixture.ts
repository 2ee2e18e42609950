import type { RepositoryFacts } from './repository.ts';
import { type Finding, type RepositoryScan, scanRepository } from './scan-repository.ts';

/** The files of a repository with their texts. */
export type Files = Readonly<Record<string, string>>;

export const today = '2026-11-26';

/** Describes a repository of which everything is known. */
export function factsOf(files: Files, cut: readonly string[] = []): RepositoryFacts {
  return { paths: Object.keys(files), texts: new Map(Object.entries(files)), cut: new Set(cut) };
}

export function scanOf(files: Files): RepositoryScan {
  return scanRepository(factsOf(files), today);
}

/** The checks with a result, with the workspace where there is one. */
export function checksWith({ findings }: RepositoryScan, status: Finding['status']): string[] {
  return findings
    .filter((finding) => finding.status === status)
    .map(({ check, workspace }) => (workspace === undefined ? check : `${check} in ${workspace}`));
}

const readme = `# Ferry\n\n${'The ferry books seats and prints tickets. '.repeat(8)}`;
const manifest = {
  name: 'ferry',
  bin: 'src/main.js',
  engines: { node: '>=20' },
  scripts: { start: 'node src/main.js', test: 'node --test' },
  dependencies: { dotenv: '17.0.0' },
};

/** A program that passes every check that applies to a small repository. */
export const ready: Files = {
  'package.json': JSON.stringify(manifest),
  'package-lock.json': '{}',
  'tsconfig.json': '{}',
  'biome.json': '{}',
  '.pre-commit-config.yaml': 'repos: []\n',
  '.github/workflows/ci.yml': 'jobs:\n  test:\n    steps:\n      - run: npm ci\n      - run: npm test\n',
  '.env.example': 'PORT=8080\n',
  '.gitignore': '.env\nnode_modules\n',
  'AGENTS.md': '# Ferry\n\nRun `npm test`. Prices are in `src/prices.js`.\n',
  'README.md': readme,
  'docs/architecture.md': '# Where what is\n',
  CODEOWNERS: '* @ada\n',
  '.devcontainer/devcontainer.json': '{}',
  'src/main.js': 'run();\n',
  'src/prices.js': 'export const price = 3;\n',
  'src/prices.test.js': 'test();\n',
};

/** Returns files with some changed; undefined removes one. */
export function withFiles(files: Files, changes: Readonly<Record<string, string | undefined>>): Files {
  const changed = Object.entries({ ...files, ...changes });
  return Object.fromEntries(changed.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Returns the ready repository with another package.json. */
export function withManifest(changes: object): Files {
  return withFiles(ready, { 'package.json': JSON.stringify({ ...manifest, ...changes }) });
}
