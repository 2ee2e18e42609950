import { sendJson } from '@teammemory/client/testing/serve.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace();
});

afterEach(() => workspace.close());

const item = {
  row_key: 'plan.md',
  title: 'Plan',
  headings: ['Plan', 'Ferry'],
  text: 'The ferry \u001b[2Jleaves.\n\n- at nine\n',
  tier: 'team',
  kind: 'item',
  date: '2026-11-02',
  status: null,
  score: 3,
};
const decision = {
  row_key: 'decisions/1',
  title: 'Blue\nor red',
  headings: [],
  text: 'Blue.',
  tier: 'external',
  kind: 'decision',
  date: null,
  status: 'accepted',
  score: 2,
};

function answerWith(passages: object[], incomplete = false): void {
  workspace.service.intercept('/api/v1/search', (response) =>
    sendJson(response, 200, { passages, incomplete }),
  );
}

describe('tms search', () => {
  it('prints each passage below what it is of, without what would steer a terminal', async () => {
    answerWith([item, decision]);
    const outcome = await workspace.run('search', 'which', 'ferry?');
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout).toBe(
      [
        '[1] Plan > Ferry, plan.md (item, 2026-11-02, team)',
        '    The ferry [2Jleaves.',
        '',
        '    - at nine',
        '',
        '[2] Blue or red, decisions/1 (decision, accepted, external)',
        '    Blue.',
        '',
      ].join('\n'),
    );
  });

  it('says that nothing was found, and that not all could be searched', async () => {
    answerWith([], true);
    const { exitCode, stdout } = await workspace.run('search', 'which?');
    expect(exitCode).toBe(0);
    expect(stdout).toBe('Nothing was found.\n\nNot all of what you may see could be searched.\n');
  });

  it('asks for passages below a path, of a kind and since a day only', async () => {
    const wanted = ['--prefix', 'projects/a b/', '--kind', 'decision', '--since', '2026-11-01'];
    let asked = '';
    workspace.service.intercept('/api/v1/search', (response) => {
      asked = response.req.url ?? '';
      sendJson(response, 200, { passages: [], incomplete: false });
    });
    expect(await workspace.run('search', 'which?', ...wanted)).toMatchObject({ exitCode: 0 });
    expect(Object.fromEntries(new URL(asked, 'http://service.test').searchParams)).toEqual({
      q: 'which?',
      prefix: 'projects/a b/',
      kind: 'decision',
      since: '2026-11-01',
    });
  });

  it('prints one object with --json', async () => {
    answerWith([item]);
    expect(await workspace.runJson(0, 'search', 'which?', '--limit', '1')).toEqual({
      passages: [item],
      incomplete: false,
    });
  });

  it('ends when it is cancelled', async () => {
    const stop = new AbortController();
    workspace.service.intercept('/api/v1/search', () => stop.abort());
    const outcome = await runTms(['search', 'which?', '--json'], {
      env: workspace.env,
      signal: stop.signal,
    });
    expect(outcome.exitCode).toBe(1);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ error: { code: 'cancelled' } });
  });
});
