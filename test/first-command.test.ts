import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, onTestFinished, test } from 'vitest';

// The README's command for the package, on a machine that has nothing but Node, npm and a shell, and a user without any files.

const repository = fileURLToPath(new URL('..', import.meta.url));
/** The package is built, and a loaded machine takes a multiple of the usual ten seconds. */
const timeoutMs = 240_000;

async function bareMachine(): Promise<{ folder: string; environment: Record<string, string> }> {
  const { path: folder, remove } = await temporaryDirectory();
  onTestFinished(remove);
  for (const name of ['bin', 'home', 'work']) mkdirSync(join(folder, name));
  symlinkSync(process.execPath, join(folder, 'bin', 'node'));
  for (const name of ['npm', 'npx', 'script', 'sh']) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    symlinkSync(stdout.trim(), join(folder, 'bin', name));
  }
  const ports = { PORT: '0', RPC_PORT: '0', METRICS_PORT: '0' };
  const paths = { PATH: join(folder, 'bin'), HOME: join(folder, 'home'), DATA_DIR: join(folder, 'data') };
  return { folder, environment: Object.assign(ports, paths) };
}

/**
 * Starts a command at a terminal, waits until the service that it starts is ready, and returns the arguments of the program
 * that opens browsers: their number, and each.
 */
async function openedOnceReady(command: string, cwd: string, environment: Record<string, string>) {
  const opened = join(cwd, 'opened');
  const [script, opener] = ['script', 'xdg-open'].map((name) => join(environment.PATH ?? '', name));
  writeFileSync(opener ?? '', `#!/bin/sh\necho "$#" "$@" > '${opened}'\n`, { mode: 0o755 });
  const child = spawn(script ?? '', ['-qefc', command, '/dev/null'], {
    cwd,
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  try {
    const address = () => /"gateway":"([^"]+)"/.exec(output)?.[1];
    await eventually('it says where it is', () => address() !== undefined || child.exitCode !== null, {
      withinMs: timeoutMs / 2,
    });
    if (address() === undefined) throw new Error(output);
    expect(await (await fetch(`${address()}/readyz`)).json()).toEqual({ status: 'ready' });
    // The shell makes the file before it writes the address.
    const read = () => existsSync(opened) && /.*\n$/.exec(readFileSync(opened, 'utf8'))?.[0];
    return await eventually('the browser is opened', read, { withinMs: timeoutMs / 4 });
  } finally {
    // Ctrl-C reaches the shells of npx, too.
    child.stdin.write('\u0003');
    await ended;
  }
}

test('npx starts the service from its tarball, with nothing but Node, and a browser that is signed in', {
  timeout: timeoutMs,
  // `script` of other systems makes no terminal from these arguments.
  skip: process.platform !== 'linux',
}, async () => {
  const { folder, environment } = await bareMachine();
  const built = join(folder, 'built');
  const build = [join(repository, 'scripts', 'build-packages.ts'), built];
  expect(spawnSync(process.execPath, build, { cwd: repository }).status).toBe(0);
  const tarball = readdirSync(built).find((name) => /^team-memory-service-.+\.tgz$/.test(name));
  expect(await openedOnceReady(`npx --yes ./${tarball} --open`, built, environment)).toMatch(
    /^1 http:\/\/127\.0\.0\.1:\d+\/sign-in#tmsl_\w+\n$/,
  );
});
