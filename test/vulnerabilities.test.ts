import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, '..', 'scripts', 'check-vulnerabilities.ts');
const advisory = (id: string, severity: string) => ({
  name: 'left-pad',
  title: `hole ${id}`,
  severity,
  url: `https://github.com/advisories/${id}`,
});
const report = {
  vulnerabilities: {
    'left-pad': { via: [advisory('GHSA-1', 'high'), advisory('GHSA-2', 'moderate'), 'other'] },
    other: { via: [advisory('GHSA-1', 'high'), advisory('GHSA-3', 'critical')] },
  },
};

test('grave vulnerabilities fail the check unless they are accepted for now, and a silent registry is told', async () => {
  const directory = await temporaryDirectory();
  const scripts = join(directory.path, 'scripts');
  mkdirSync(scripts);
  cpSync(script, join(scripts, 'check-vulnerabilities.ts'));
  const npm = join(directory.path, 'npm');
  const check = (answer: object, accepted: object[]) => {
    writeFileSync(join(scripts, 'accepted-vulnerabilities.json'), JSON.stringify(accepted));
    writeFileSync(npm, `#!/bin/sh\ncat <<'END'\n${JSON.stringify(answer)}\nEND\nexit 1\n`);
    chmodSync(npm, 0o755);
    const env = { PATH: `${directory.path}:${process.env.PATH}` };
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(scripts, 'check-vulnerabilities.ts')],
      { env, encoding: 'utf8' },
    );
    return { status, stdout, found: stderr.match(/GHSA-\d(?=\))/g) };
  };
  const accept = (id: string, until: string) => ({ ...advisory(id, ''), reason: 'not reached', until });
  expect(check(report, [])).toMatchObject({ status: 1, found: ['GHSA-1', 'GHSA-3'] });
  const accepted = [accept('GHSA-1', '2999-01-01'), accept('GHSA-3', '2020-01-01')];
  expect(check(report, accepted)).toMatchObject({ status: 1, found: ['GHSA-3'] });
  expect(check(report, [accept('GHSA-1', '2999-01-01'), accept('GHSA-3', '2999-01-01')])).toMatchObject({
    status: 0,
    found: null,
  });
  const silent = check({ message: '405 Method Not Allowed' }, []);
  expect(silent).toMatchObject({ status: 0, found: null });
  expect(silent.stdout).toContain('NOT CHECKED: known vulnerabilities');
  await directory.remove();
});
