import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace();
});

afterEach(() => workspace.close());

const delta = 'event: delta\ndata: {"text":"We use \\u001b[2Jtwo [1]."}\n\n';
const sources = 'event: sources\ndata: [{"row_key":"a.md","title":"A","tier":"team"}]\n\n';
const done = 'event: done\ndata: {}\n\n';

function answerWith(...events: string[]): void {
  workspace.service.intercept('/api/v1/query', (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
  });
}

describe('tms ask', () => {
  it('says of a source that its day to be checked has passed', async () => {
    const old = {
      row_key: 'a.md',
      title: 'A',
      tier: 'team',
      kind: 'item',
      to_be_checked_since: '2026-01-02',
    };
    answerWith(delta, `event: sources\ndata: ${JSON.stringify([old])}\n\n`, done);
    const { stdout } = await workspace.run('ask', 'which?');
    expect(stdout).toContain('[1] A, a.md (item, team, to be checked since 2026-01-02)\n');
  });

  it('prints the answer, then numbered sources, without what would steer a terminal', async () => {
    answerWith(delta, sources, done);
    const outcome = await workspace.run('ask', 'which?');
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    const address = `${workspace.service.url}/api/v1/items/a.md`;
    expect(outcome.stdout).toBe(`We use [2Jtwo [1].\n\nSources:\n[1] A, a.md (team)\n    ${address}\n`);
  });

  it('shows beside each source what it is, its day and where it stands', async () => {
    const decision = { row_key: 'decisions/1', title: 'Blue', tier: 'external', kind: 'decision' };
    const known = JSON.stringify([{ ...decision, date: '2026-05-01', status: 'accepted' }]);
    answerWith(delta, `event: sources\ndata: ${known}\n\n`, done);
    const { stdout } = await workspace.run('ask', 'which?');
    expect(stdout).toContain('[1] Blue, decisions/1 (decision, 2026-05-01, accepted, external)\n');
  });

  it('prints one object with --json', async () => {
    answerWith(delta, sources, done);
    expect(await workspace.runJson(0, 'ask', 'which?')).toEqual({
      answer: 'We use \u001b[2Jtwo [1].',
      sources: [{ row_key: 'a.md', title: 'A', tier: 'team' }],
    });
  });

  it('fails when the answer breaks off, after showing what came', async () => {
    answerWith(delta);
    const outcome = await workspace.run('ask', 'which?');
    expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('broke off') });
    expect(outcome.stdout).toContain('We use');
  });

  it('ends when it is cancelled', async () => {
    const stop = new AbortController();
    workspace.service.intercept('/api/v1/query', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta);
      stop.abort();
    });
    const env = { TMS_URL: workspace.service.url, TMS_KEY: 'tms_id_secret', TMS_TEAM: 'demo' };
    const outcome = await runTms(['ask', 'which?', '--json'], { env, signal: stop.signal });
    expect(outcome.exitCode).toBe(1);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ error: { code: 'cancelled' } });
  });
});
