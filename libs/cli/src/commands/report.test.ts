import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { sendJson } from '@teammemory/client/testing/serve.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dailyPlan } from '../report-schedule.ts';
import { runTms } from '../testing/run-tms.fixture.ts';
import { openWorkspace, storedKey, type Workspace } from '../testing/workspace.fixture.ts';

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

const settingsFile = '.claude/settings.json';

describe('tms report --install session', () => {
  const other = { hooks: [{ type: 'command', command: 'other' }] };
  let env: Record<string, string>;
  beforeEach(async () => {
    env = await storedKey(workspace);
  });
  const run = (...args: string[]) => runTms(['report', ...args], { env, cwd: workspace.folder });
  const settings = async () => JSON.parse(await workspace.read(settingsFile));
  const hook = (url: string, team: string) => ({
    type: 'command',
    command: `"/opt/node" "/opt/tms/bin/tms.js" report --yes --quiet "--url" "${url}" "--team" "${team}"`,
    timeout: 60,
  });

  it('adds a hook once, beside others, and uninstalling brings back what was there', async () => {
    const before = JSON.stringify({ model: 'x', hooks: { SessionEnd: [other] } });
    await workspace.write(settingsFile, before);
    for (let time = 0; time < 2; time += 1) {
      expect(await run('--install', 'session', '--yes')).toMatchObject({ exitCode: 0 });
      const own = { hooks: [hook(`${env.TMS_URL}`, 'demo')] };
      expect(await settings()).toEqual({ model: 'x', hooks: { SessionEnd: [other, own] } });
    }
    expect((await run('--uninstall', '--yes')).stdout).toContain('Reports are no longer made by themselves.');
    expect(await workspace.read(settingsFile)).toBe(before);
    expect((await run('--uninstall', '--yes')).stdout).toContain('None were.');
  });

  it('reports to the service and team of the installation, not to those of the folder of a session', async () => {
    const { TMS_URL: url = '', TMS_TEAM: team = '', ...others } = env;
    await runTms(['init', workspace.folder, '--url', url, '--team', team], { env: others });
    env = others;
    expect(await run('--install', 'session', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await settings()).toEqual({ hooks: { SessionEnd: [{ hooks: [hook(url, team)] }] } });
  });

  it('knows its hooks of other versions, places and teams, and leaves the user what is beside them', async () => {
    const command = (text: string) => ({ type: 'command', command: text });
    const ours = [
      command('"/opt/node" "/old/tms.js" "report" "--yes" "--quiet" "--team" "other"'),
      command('"/node 22/node" "C:\\old\\tms.js" report --yes --quiet "--url" "https://a" "--team" "b"'),
    ];
    const users = [command('tms report --yes --quiet'), command('"/x/tms.js" report --dry-run')];
    const written = {
      hooks: { SessionEnd: [{ hooks: [ours[0]] }, { hooks: [users[0], ours[1]] }, { hooks: [users[1]] }] },
    };
    const kept = [{ hooks: [users[0]] }, { hooks: [users[1]] }];
    await workspace.write(settingsFile, JSON.stringify(written));
    await run('--install', 'session', '--yes');
    const own = { hooks: [hook(`${env.TMS_URL}`, 'demo')] };
    expect(await settings()).toEqual({ hooks: { SessionEnd: [...kept, own] } });
    await run('--uninstall', '--yes');
    expect(await settings()).toEqual({ hooks: { SessionEnd: kept } });
    await workspace.write(settingsFile, JSON.stringify({ hooks: { SessionEnd: [{ hooks: [ours[0]] }] } }));
    await run('--uninstall', '--yes');
    expect(await settings()).toEqual({});
  });

  it('changes the settings in CLAUDE_CONFIG_DIR, and only after showing the change and being told to', async () => {
    env.CLAUDE_CONFIG_DIR = join(workspace.folder, 'elsewhere');
    expect(await run('--install', 'session')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('SessionEnd'),
    });
    expect(await workspace.list('elsewhere').catch(() => [])).toEqual([]);
    await run('--install', 'session', '--yes');
    expect(await workspace.list('elsewhere')).toEqual(['settings.json']);
    expect(await run('--uninstall')).toMatchObject({ exitCode: 2 });
    expect(await run('--uninstall', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await workspace.list('elsewhere')).toEqual([]);
  });
});

describe('tms report --install', () => {
  it('needs a stored key, which a schedule finds without the environment', async () => {
    for (const when of ['session', 'day']) {
      const outcome = await workspace.run('report', '--install', when, '--yes');
      expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('needs a stored key') });
    }
    expect(await workspace.list('.claude')).toEqual(['projects/p/s1.jsonl']);
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
      const env: Record<string, string> = {
        ...(await storedKey(workspace)),
        PATH: `${workspace.folder}/bin:/usr/bin:/bin`,
        XDG_CONFIG_HOME: `${workspace.folder}/.config`,
      };
      const run = (...args: string[]) => runTms(['report', ...args], { env, cwd: workspace.folder });
      await systemctl(1);
      expect(await run('--install', 'day')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('nothing was started'),
      });
      expect(await workspace.list('.config/systemd')).toEqual([]);
      await systemctl(0);
      expect(await run('--install', 'day')).toMatchObject({ exitCode: 0 });
      expect(await workspace.read(`${units}.service`)).toContain(
        `"report" "--yes" "--quiet" "--url" "${env.TMS_URL}" "--team" "demo" "--config" "${env.XDG_CONFIG_HOME}/tms/config.json"\n`,
      );
      expect(await workspace.read('calls')).toContain('--user enable --now teammemory-report.timer');
      expect((await run('--uninstall')).stdout).toContain('Reports are no longer made by themselves.');
      expect(await workspace.list('.config/systemd')).toEqual([]);
    },
  );

  it('quotes what is special for each system', () => {
    const command = ['/opt/a b/node', "/x/'%h\\n$(id)&<"];
    const [service] = dailyPlan('linux', '/home/ada', command).files;
    expect(service?.text).toContain(`ExecStart=:"/opt/a b/node" "/x/'%%h\\\\n$(id)&<"\n`);
    const [plist] = dailyPlan('darwin', '/Users/ada', command).files;
    expect(plist?.text).toContain("<string>/x/'%h\\n$(id)&#38;&#60;</string>");
    expect(dailyPlan('win32', 'C:\\Users\\ada', ['C:\\node.exe', 'tms.js']).start[0]?.at(-1)).toBe(
      '"C:\\node.exe" "tms.js"',
    );
  });

  it.each(['linux', 'darwin', 'win32'])(
    'refuses what would begin another command or line on %s',
    (system) => {
      for (const part of ['a" & calc & "b', '/x\nExecStartPost=/bin/touch /tmp/y', '\u0000', '\u001b[0m']) {
        expect(() => dailyPlan(system, '/home/ada', ['/opt/node', part])).toThrow(/No schedule can have/);
      }
    },
  );
});
