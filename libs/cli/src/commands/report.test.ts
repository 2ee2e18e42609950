import { chmod } from 'node:fs/promises';
import { sendJson } from '@teammemory/client/testing/serve.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dailyPlan } from '../report-schedule.ts';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;

const log = '.claude/projects/p/s1.jsonl';
const prompt = (uuid: string) =>
  JSON.stringify({
    sessionId: 's1',
    timestamp: '2026-11-20T10:00:00.000Z',
    type: 'user',
    uuid,
    cwd: '/secret',
    message: { content: 'A secret' },
  });

beforeEach(async () => {
  workspace = await openWorkspace();
  await workspace.write(log, [prompt('p1'), prompt('p2')].join('\n'));
});

afterEach(() => workspace.close());

const canonical = {
  spine: 'L1',
  axes: { verification: 0, context_hygiene: 0, autonomy: 0, learning: 0, cost_governance: 0 },
};
function acceptOnce(): void {
  workspace.service.intercept('/api/v1/metrics', (response) =>
    sendJson(response, 200, { status: 'ok', snapshot_id: 's', member_id: 'm', canonical }),
  );
}

describe('tms report', () => {
  it('prints exactly what would leave, and sends nothing without being told to', async () => {
    const dry = await workspace.run('report', '--dry-run');
    expect(dry).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\{[\s\S]*\}\nNothing was sent.\n$/),
    });
    expect(dry.stdout).not.toMatch(/secret/i);
    const body = {
      metric: 'aem-individual',
      date: '2026-11-21',
      window_days: 7,
      signals: { delegation_ratio: 0, subagent_usage: 0 },
      sessions: 1,
      tasks: 2,
    };
    expect(JSON.parse(dry.stdout.replace('Nothing was sent.', ''))).toEqual(body);
    expect(await workspace.runJson(0, 'report', '--dry-run')).toMatchObject({ body, pushed: null });
    expect(await workspace.runJson(2, 'report')).toMatchObject({ error: { code: 'usage' } });
  });

  it('sends with --yes, and never lowers a day that was sent', async () => {
    acceptOnce();
    expect(await workspace.runJson(0, 'report', '--yes')).toMatchObject({
      pushed: { canonical: { spine: 'L1' } },
    });
    await workspace.write(log, prompt('p2'));
    // No answer is prepared: a request would fail.
    expect(await workspace.runJson(0, 'report', '--yes')).toMatchObject({ body: { tasks: 1 }, pushed: null });
    await workspace.write(log, [prompt('p1'), prompt('p2'), prompt('p3')].join('\n'));
    acceptOnce();
    expect((await workspace.run('report', '--yes')).stdout).toContain('Sent to team demo: you are at L1.');
  });

  it('reports nothing of days without sessions, and refuses windows in which logs are deleted', async () => {
    await workspace.write(log, '');
    expect((await workspace.run('report', '--yes')).stdout).toMatch(/^No session in the last 7 days/);
    for (const since of ['0d', '31d', '7', 'x']) {
      expect(await workspace.run('report', '--since', since)).toMatchObject({ exitCode: 2 });
    }
  });

  it('explains a signal and why it was left out', async () => {
    const { stdout } = await workspace.run('report', '--explain', 'error_rate');
    expect(stdout).toMatch(/^error_rate: left out\n {2}The share .*\n {2}There are 0 results/);
  });
});

describe('tms report --install', () => {
  it('adds a hook to Claude Code, once, beside others, and takes only its own out', async () => {
    const other = { hooks: [{ type: 'command', command: 'other' }] };
    await workspace.write(
      '.claude/settings.json',
      JSON.stringify({ model: 'x', hooks: { SessionEnd: [other] } }),
    );
    const settings = async () => JSON.parse(await workspace.read('.claude/settings.json'));
    for (let time = 0; time < 2; time += 1) {
      expect(await workspace.runJson(0, 'report', '--install', 'session')).toEqual({ installed: 'session' });
      const command = '"/opt/node" "/opt/tms/bin/tms.js" "report" "--yes" "--quiet"';
      const own = { hooks: [{ type: 'command', command }] };
      expect(await settings()).toEqual({ model: 'x', hooks: { SessionEnd: [other, own] } });
    }
    await workspace.run('report', '--uninstall');
    expect(await settings()).toEqual({ model: 'x', hooks: { SessionEnd: [other] } });
    await workspace.write('.claude/settings.json', '{"hooks": [');
    expect(await workspace.runJson(1, 'report', '--install', 'session')).toMatchObject({
      error: { code: 'bad_file' },
    });
  });

  it.skipIf(process.platform !== 'linux')(
    'makes a timer of systemd, and leaves nothing where that fails',
    async () => {
      const units = '.config/systemd/user/teammemory-report';
      const systemctl = async (exit: number) => {
        await workspace.write(
          'bin/systemctl',
          `#!/bin/sh\necho "$@" >> "${workspace.folder}/calls"\nexit ${exit}\n`,
        );
        await chmod(`${workspace.folder}/bin/systemctl`, 0o755);
      };
      workspace.env.PATH = `${workspace.folder}/bin:/usr/bin:/bin`;
      await systemctl(1);
      expect(await workspace.runJson(1, 'report', '--install', 'day')).toMatchObject({
        error: { code: 'no_scheduler' },
      });
      expect(await workspace.list('.config/systemd')).toEqual([]);
      await systemctl(0);
      await workspace.runJson(0, 'report', '--install', 'day', '--team', 'demo');
      expect(await workspace.read(`${units}.service`)).toContain(
        'ExecStart="/opt/node" "/opt/tms/bin/tms.js" "report" "--yes" "--quiet" "--team" "demo"',
      );
      expect(await workspace.read('calls')).toContain('--user enable --now teammemory-report.timer');
      await workspace.run('report', '--uninstall');
      expect(await workspace.list('.config/systemd')).toEqual([]);
    },
  );

  it('quotes what is special for each system', () => {
    const command = ['/opt/a b/node', '/x/"%h"$(id)&<'];
    const [service] = dailyPlan('linux', '/home/ada', command).files;
    expect(service?.text).toContain('ExecStart="/opt/a b/node" "/x/\\"%%h\\"$$(id)&<"\n');
    const [plist] = dailyPlan('darwin', '/Users/ada', command).files;
    expect(plist?.text).toContain('<string>/x/"%h"$(id)&amp;&lt;</string>');
    expect(dailyPlan('win32', 'C:\\Users\\ada', ['C:\\node.exe', 'tms.js']).start[0]?.at(-1)).toBe(
      '"C:\\node.exe" "tms.js"',
    );
  });
});
