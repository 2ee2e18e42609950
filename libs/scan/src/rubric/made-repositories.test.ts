import { expect, test } from 'vitest';
import { checksWith, ready, scanOf, withFiles } from './facts.fixture.ts';
import { madeRepositories, npmPart } from './made-repositories.fixture.ts';

test.each(madeRepositories)(
  'the answer for %s is right',
  (_, files, { kind, level, percentage, workspaces = [], fails }) => {
    const scan = scanOf(files);
    expect({
      kind: scan.kind,
      level: scan.level,
      percentage: scan.percentage,
      folders: scan.workspaces.map(({ folder }) => folder),
      fails: checksWith(scan, 'fail'),
    }).toEqual({
      kind,
      level,
      percentage,
      folders: workspaces,
      fails: fails ?? checksWith(scan, 'fail'),
    });
  },
);

test('a workspace is judged by itself, with what the root has for all', () => {
  const files = withFiles(ready, {
    'package.json': JSON.stringify({
      workspaces: ['packages/*'],
      engines: {},
      scripts: { start: 'a', test: 'a' },
    }),
    ...npmPart('a'),
    'packages/b/package.json': '{"main":"index.js","dependencies":{"express":"5"}}',
    'packages/b/index.js': 'x',
  });
  const { workspaces } = scanOf(files);
  expect(workspaces).toMatchObject([
    { folder: 'packages/a', kind: 'library', level: 'L5', percentage: 100 },
    { folder: 'packages/b', kind: 'service', level: 'L2' },
  ]);
});
