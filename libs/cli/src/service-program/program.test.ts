import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { runServiceProgram, type ServiceContext } from './program.ts';
import { servicePlan } from './service-plan.ts';

let folder: string;
let ran: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-program-'));
  ran = [];
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs the program in a folder of its own, with `terminal` on a terminal; what it starts is in `ran`. */
async function run(args: readonly string[], options: Partial<ServiceContext> & { terminal?: boolean } = {}) {
  let [stdout, stderr] = ['', ''];
  const code = await runServiceProgram(args, {
    env: { HOME: folder },
    cwd: folder,
    platform: 'linux',
    command: ['/opt/node', '/opt/lib/team-memory-service.js'],
    stdout: {
      isTTY: options.terminal ?? false,
      write: (text) => {
        stdout += text;
      },
    },
    stderr: {
      write: (text) => {
        stderr += text;
      },
    },
    async runAll(...call) {
      ran.push(call);
    },
    async runPart(...call) {
      ran.push(call);
    },
    ...options,
  });
  return { code, stdout, stderr };
}

describe('starting the service', () => {
  it("keeps data in the platform's folder, or where --data or DATA_DIR says", async () => {
    const dataOf = async (platform: string, env: Record<string, string>, ...args: string[]) => {
      ran = [];
      expect(await run(args, { platform, env })).toEqual({ code: undefined, stdout: '', stderr: '' });
      const [[settings]] = ran as [[{ DATA_DIR: string }]];
      return settings.DATA_DIR;
    };
    const HOME = '/home/ada';
    expect(await dataOf('linux', { HOME })).toBe('/home/ada/.local/share/team-memory-service');
    expect(await dataOf('linux', { HOME, XDG_DATA_HOME: '/data' })).toBe('/data/team-memory-service');
    expect(await dataOf('darwin', { HOME })).toBe(
      '/home/ada/Library/Application Support/team-memory-service',
    );
    expect(await dataOf('win32', { LOCALAPPDATA: '/local' })).toBe('/local/team-memory-service/Data');
    expect(await dataOf('linux', { HOME, DATA_DIR: '/srv' })).toBe('/srv');
    expect(await dataOf('linux', { HOME, DATA_DIR: '/srv' }, '--data', 'here')).toBe(join(folder, 'here'));
  });

  it('hands over the port and whether there is a demo, and opens a browser only on a terminal', async () => {
    const data = { DATA_DIR: join(folder, 'd') };
    await run(['--data', 'd', '--port', '9000', '--no-demo', '--open']);
    await run(['--data', 'd', '--open'], { terminal: true });
    expect(ran).toEqual([
      [{ ...data, PORT: '9000', DEMO: 'off' }, { open: false }],
      [data, { open: true }],
    ]);
  });

  it('starts one part, which has no data folder, demo or browser', async () => {
    expect((await run(['query', '--port', '7104'])).code).toBeUndefined();
    expect(ran).toEqual([['query', { PORT: '7104' }]]);
    for (const flag of [['--data', 'd'], ['--open'], ['--no-demo']]) {
      expect(await run(['gateway', ...flag])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/for the whole service/),
      });
    }
    expect(ran).toHaveLength(1);
  });

  it.each([
    ['--port', '65536'],
    ['--port', '-1'],
    ['--port', '80a'],
    ['--colour'],
    ['billing'],
    ['query', 'auth'],
  ])('refuses %s %s in a sentence', async (...args) => {
    expect(await run(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^(?:error|team-memory-service): .+\n$/),
    });
    expect(ran).toEqual([]);
  });
});

describe('service install', () => {
  const unit = () => join(folder, '.config/systemd/user/team-memory-service.service');

  /** Makes a program of the system that notes its arguments and ends as the shell's `ending` says. */
  async function systemProgram(program: string, ending: string): Promise<Record<string, string>> {
    const bin = join(folder, 'bin');
    await mkdir(bin, { recursive: true });
    const script = `#!/bin/sh\necho "$@" >> "${folder}/calls"\necho "$XDG_RUNTIME_DIR" > "${folder}/runtime"\necho said\n${ending}\n`;
    await writeFile(join(bin, program), script);
    await chmod(join(bin, program), 0o755);
    return { HOME: folder, PATH: `${bin}:/usr/bin:/bin` };
  }
  const systemctl = (exitCode: number) => systemProgram('systemctl', `exit ${exitCode}`);
  const calls = () => readFile(join(folder, 'calls'), 'utf8');

  it.skipIf(process.platform === 'win32')(
    'runs it when the user signs in, says how it is, and leaves nothing but the data',
    async () => {
      const env = await systemctl(0);
      const installed = await run(['service', 'install', '--port', '9000', '--no-demo', '--data', 'd'], {
        env,
      });
      expect(installed).toMatchObject({ code: 0, stderr: '' });
      expect(installed.stdout).toContain(`Data: ${folder}/d\n`);
      expect(await readFile(unit(), 'utf8')).toContain(
        `ExecStart="/opt/node" "/opt/lib/team-memory-service.js" "--port" "9000" "--data" "${folder}/d" "--no-demo"\nRestart=on-failure\n`,
      );
      // One that ran before is started again, with what its command says now.
      expect(await calls()).toMatch(/daemon-reload\n--user enable (\S+)\n--user restart \1\n$/);
      // As for somebody who came by sudo, without such a variable, or by su, with that of another user.
      const runtime = () => readFile(join(folder, 'runtime'), 'utf8');
      expect(await runtime()).toBe(`/run/user/${process.getuid?.()}\n`);
      await run(['service', 'status'], { env: { ...env, XDG_RUNTIME_DIR: join(folder, 'none') } });
      expect(await runtime()).toBe(`/run/user/${process.getuid?.()}\n`);
      await run(['service', 'status'], { env: { ...env, XDG_RUNTIME_DIR: folder } });
      expect(await runtime()).toBe(`${folder}\n`);
      // systemctl ends with 3 for a service that does not run, and has said so.
      expect(await run(['service', 'status'], { env: await systemctl(3) })).toMatchObject({
        code: 0,
        stdout: 'said\n',
      });
      await systemctl(0);
      expect((await run(['service', 'uninstall'], { env })).stdout).toContain('no longer runs by itself');
      expect(await readdir(join(folder, '.config/systemd/user'))).toEqual([]);
      expect(await readdir(folder)).toContain('d');
    },
  );

  it.skipIf(process.platform === 'win32')('leaves no unit where the system does not take it', async () => {
    const env = await systemctl(1);
    expect(await run(['service', 'install'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/nothing was started/),
    });
    expect(await readdir(join(folder, '.config/systemd/user'))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'keeps the unit of an earlier install, and starts it again, where the system does not take a second',
    async () => {
      const env = await systemctl(0);
      await run(['service', 'install', '--port', '9000'], { env });
      const earlier = await readFile(unit(), 'utf8');
      await systemProgram('systemctl', `! grep 9001 '${unit()}'`);
      expect(await run(['service', 'install', '--port', '9001'], { env })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/nothing was started/),
      });
      expect(await readFile(unit(), 'utf8')).toBe(earlier);
      expect(await calls()).toMatch(/restart \S+\n$/);
    },
  );

  it.skipIf(process.platform === 'win32').each([
    ['darwin', 'launchctl', /^bootout (gui\/\d+)(\/\S+)\nenable \1\2\nbootstrap \1 \S+\.plist\n$/],
    ['win32', 'schtasks', /^\/End \/TN (\S+)\n\/Create .+\n\/Run \/TN \1\n$/],
  ])(
    'ends on %s what runs already, if anything does, so that a second install takes effect, with data outside of home too',
    async (...given) => {
      const [platform, program, expected] = given;
      const surroundings = await systemProgram(program, 'case $1 in bootout | /End) exit 1 ;; esac');
      const env = { ...surroundings, HOME: join(folder, 'home') };
      const installed = await run(['service', 'install', '--data', join(folder, 'd')], { env, platform });
      expect(installed).toMatchObject({ code: 0, stderr: '' });
      expect(await calls()).toMatch(expected);
    },
  );

  // 36 says that it is still ending.
  it.skipIf(process.platform === 'win32').each([0, 36])(
    'waits on macOS until what ran before has ended (%i), and believes launchctl that nothing was started',
    async (bootout) => {
      // The first calls after the end of the earlier one fail.
      const ending = `case $1 in bootout) exit ${bootout} ;; esac; [ "$(grep -c bootstrap '${join(folder, 'calls')}')" != 1 ]`;
      const env = { ...(await systemProgram('launchctl', ending)), HOME: join(folder, 'home') };
      const install = (data: string) =>
        run(['service', 'install', '--data', join(folder, data)], { env, platform: 'darwin' });
      expect(await install('d')).toMatchObject({ code: 0, stderr: '' });
      expect(await calls()).toMatch(/^bootout .+\nenable .+\nbootstrap (.+)\nbootstrap \1\n$/);
      await systemProgram(
        'launchctl',
        '[ $1 = enable ] && exit; echo "Bootstrap failed: 5: Input/output error" >&2; exit 5',
      );
      expect(await install('e')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/nothing was started.+ 5: /),
      });
    },
  );

  it('does not install a program that npx may delete', async () => {
    const command = ['/opt/node', '/home/ada/.npm/_npx/1/node_modules/team-memory-service/bin/x.js'] as const;
    expect(await run(['service', 'install'], { command })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm install --global team-memory-service'),
    });
  });

  it('quotes what is special for each system, and refuses what would begin another command', () => {
    const plan = (platform: string, part: string) =>
      servicePlan(platform, { home: '/home/ada', dataFolder: '/data', command: ['/opt/a b/node', part] });
    expect(plan('linux', '/x/%h$(id)').files[0]?.text).toContain(
      'ExecStart=:"/opt/a b/node" "/x/%%h$(id)"\n',
    );
    expect(plan('darwin', '/x/&<').files[0]?.text).toContain('<string>/x/&#38;&#60;</string>');
    // A backslash before a quote would end no quote.
    expect(plan('win32', 'C:\\x&y\\').files[0]?.text).toContain('"C:\\x&#38;y\\\\" ');
    for (const platform of ['darwin', 'win32'])
      expect(plan(platform, '/é🗝').files[0]?.text).toMatch(/^[\n -~]*\/&#233;&#128477;[\n -~]*$/);
    for (const platform of ['linux', 'darwin', 'win32']) {
      for (const part of ['a" & calc & "b', '/x\nExecStartPost=/bin/touch /tmp/y', '\u0000'])
        expect(() => plan(platform, part)).toThrow(/No schedule can have/);
    }
    expect(() => plan('win32', '%PATH%')).toThrow(/percent signs/);
  });
});

const isJudged = spawnSync('systemd-analyze', ['--version']).status === 0;
test.skipIf(!isJudged)(
  `systemd takes the unit, whatever the folder of the program is called${isJudged ? '' : ' (there is no systemd-analyze)'}`,
  async () => {
    const command = [join(folder, 'a b $HOME %h é', 'node'), '$HOME', '%h', '\\', "'"];
    await mkdir(dirname(command[0] ?? ''));
    await symlink(process.execPath, command[0] ?? '');
    const [unit] = servicePlan('linux', { home: folder, dataFolder: '/data', command }).files;
    await writeFile(join(folder, 'a.service'), unit?.text ?? '');
    const verify = ['systemd-analyze', 'verify', '--user', '--man=no', join(folder, 'a.service')];
    const { status, stderr } = spawnSync('env', [`XDG_RUNTIME_DIR=${folder}`, ...verify], {
      encoding: 'utf8',
    });
    expect(stderr).not.toContain('a.service');
    expect(status, stderr).toBe(0);
  },
);

describe('update', () => {
  async function registry<Result>(
    answer: string | RequestListener,
    ask: (url: string) => Promise<Result>,
  ): Promise<Result> {
    const server = createServer((request, response) => {
      ran.push(request.url);
      if (typeof answer === 'string') response.end(answer);
      else answer(request, response);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      return await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.close();
    }
  }

  const updateWith = (answer: string | RequestListener) =>
    registry(answer, (url) => run(['update'], { env: { npm_config_registry: url } }));

  it('says whether the registry has a newer version, and asks it nothing else', async () => {
    expect((await updateWith('{"version":"99.10.0"}')).stdout).toContain('99.10.0 is there');
    expect((await updateWith('{"version":"0.0.9"}')).stdout).toContain('is the newest version');
    expect(ran).toEqual(['/team-memory-service/latest', '/team-memory-service/latest']);
  });

  it('names npm only where it can have installed the program', async () => {
    const command = ['/usr/bin/team-memory-service'];
    const said = (options: Partial<ServiceContext>) =>
      registry('{"version":"99.0.0"}', async (url) => {
        const { stdout } = await run(['update'], { env: { npm_config_registry: url }, ...options });
        return stdout;
      });
    expect(await said({})).toContain('npm install --global team-memory-service@99.0.0');
    expect(await said({ command })).toMatch(
      /^99\.0\.0 is there, this is \S+\. Get it the way you got this one\.\n$/,
    );
  });

  const newer = '{"version":"99.0.0"}';
  const elsewhere = `data:application/json,${encodeURIComponent(newer)}`;
  it.each<[string, string | RequestListener]>([
    ['nothing', ''],
    ['no version', '{}'],
    ['a command', '{"version":"99.0.0; rm -rf"}'],
    ['codes for the terminal', '{"version":"\\u001b[31m9.9.9"}'],
    ['a second line', '{"version":"9.9.9\\n"}'],
    ['a number that overflows', `{"version":"${'9'.repeat(400)}.0.0"}`],
    ['an error', (_, response) => response.writeHead(500).end(newer)],
    ['with another address', (_, response) => response.writeHead(302, { location: '/other' }).end()],
    ['with an address of data', (_, response) => response.writeHead(302, { location: elsewhere }).end()],
    [
      'less than it announces',
      (_, { socket }) => socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{'),
    ],
    // As much as there is: it never ends.
    ['too much', (_, response) => void Readable.from(spaces()).pipe(response)],
  ])('believes no registry that answers %s', async (_, answer) => {
    expect(await updateWith(answer)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'team-memory-service: The registry of npm did not tell a version.\n',
    });
    expect(ran).toEqual(['/team-memory-service/latest']);
  });

  function* spaces() {
    for (;;) yield ' '.repeat(100_000);
  }
});
