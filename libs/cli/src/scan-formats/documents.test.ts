import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicRepositories } from '@teammemory/scan/public-repositories.fixture.ts';
import { brokenRepositories, ci, many } from '@teammemory/scan/rubric/broken-repositories.fixture.ts';
import { type Files, ready, scanOf, withFiles } from '@teammemory/scan/rubric/facts.fixture.ts';
import { madeRepositories } from '@teammemory/scan/rubric/made-repositories.fixture.ts';
import { rubric } from '@teammemory/scan/rubric/scan-repository.ts';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { sarifLog } from './documents.ts';

interface SarifResult {
  ruleId: string;
  ruleIndex: number;
  message: { text: string };
  partialFingerprints: { 'check/v1': string };
  locations?: { physicalLocation: { artifactLocation: { uri: string }; region?: { startLine: number } } }[];
}

const schema = join(import.meta.dirname, '../../../../test/fixtures/schemas/sarif-2.1.0.json');
// The schema gives some members a default beside a reference, which strict mode forbids.
const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));

/** Returns the rules and results of a scan in SARIF, after holding it against the schema. */
function sarifOf(files: Files): { rules: { id: string }[]; results: SarifResult[] } {
  const log = JSON.parse(JSON.stringify(sarifLog(scanOf(files))));
  validate(log);
  expect(validate.errors ?? []).toEqual([]);
  const [run] = log.runs;
  return { rules: run.tool.driver.rules, results: run.results };
}

const waiver = 'waivers:\n  - {check: lockfile, reason: "None", until: 2999-01-01}\n';
const repositories: [name: string, files: Files][] = [
  ['everything', { ...ready, ...many }],
  ...Object.entries(brokenRepositories),
  ...madeRepositories.map(([name, files]): [string, Files] => [name, files]),
  ...publicRepositories.map(({ name, contents }): [string, Files] => [name, contents]),
  [
    'odd names',
    { 'main.js': 'x', 'a b/#ü%/?[x]\n"\\&<.pyc': '', '.env': 'A=1\n', ...ci('npm run test:gone') },
  ],
  ['a waiver', withFiles(ready, { 'package-lock.json': undefined, '.tms-scan.yml': waiver })],
];

test.each(repositories)('SARIF of %s fits the schema, and names only places that exist', (_, files) => {
  const { rules, results } = sarifOf(files);
  expect(rules.map(({ id }) => id)).toEqual(rubric.map(({ id }) => id));
  const fingerprints = results.map((result) => result.partialFingerprints['check/v1']);
  expect(new Set(fingerprints).size).toBe(results.length);
  for (const { ruleId, ruleIndex, locations = [] } of results) {
    expect(rules[ruleIndex]?.id).toBe(ruleId);
    for (const { physicalLocation } of locations) {
      const text = files[decodeURIComponent(physicalLocation.artifactLocation.uri)];
      expect(text).toBeDefined();
      expect(text?.split('\n').length).toBeGreaterThanOrEqual(physicalLocation.region?.startLine ?? 0);
    }
  }
});

test('fingerprints stay when lines move and other files come, and differ between places', () => {
  const broken = withFiles(ready, { 'AGENTS.md': 'Run `npm run test:gone`.\n' });
  const moved = withFiles(broken, { 'AGENTS.md': '# New\n\nRun `npm run test:gone`.\n', 'src/new.js': 'x' });
  const elsewhere = withFiles(broken, { 'AGENTS.md': undefined, 'CLAUDE.md': 'Run `npm run test:gone`.\n' });
  const [first, second, third] = [broken, moved, elsewhere].map((files) =>
    sarifOf(files).results.find(({ ruleId }) => ruleId === 'instructions-test-command'),
  );
  expect(second?.locations).not.toEqual(first?.locations);
  expect(second?.partialFingerprints).toEqual(first?.partialFingerprints);
  expect(third?.partialFingerprints).not.toEqual(first?.partialFingerprints);
});

test('a name of a folder makes no link in a message', () => {
  const folder = 'apps/[read this](mailto:otter@example.com)';
  const { results } = sarifOf({
    'package.json': '{"name": "root", "workspaces": ["apps/*"]}',
    [`${folder}/package.json`]: '{"name": "app"}',
    [`${folder}/main.js`]: 'x',
  });
  const told = results.map(({ message }) => message.text).filter((text) => text.includes('otter'));
  expect(told).not.toEqual([]);
  for (const text of told) expect(text).toContain('\\[read this\\](mailto');
});
