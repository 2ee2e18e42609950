import { execFile, spawnSync } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { preparePythonEnvironment } from './servers/python-environment.ts';
import { api, item } from './support/http/api.ts';
import { sharedService } from './support/service/shared-service.ts';

const root = join(import.meta.dirname, '..');
const examples = join(root, 'docs', 'examples', 'rpc');
/** Go compiles what it has not compiled before, a minute on a machine that is busy. */
const timeoutMs = 240_000;
const environmentOfTools = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
  TEAM_MEMORY_PROTOS: join(root, 'proto'),
};

const service = sharedService();
let key: string;
beforeAll(async () => {
  const made = await service().createTeam();
  key = made.teamKey;
  for (const name of ['alpha', 'beta', 'release']) {
    const content = name === 'release' ? 'The release is on Friday.' : `About ${name}.`;
    const body = { items: [item(`notes/${name}.md`, content)] };
    expect((await api(service(), made, key, '/api/v1/items', { body })).status).toBe(200);
  }
});

/** A copy of a program to generate code and build in; it is removed at the end of the test. */
async function copyOf(language: string): Promise<(command: string, ...args: string[]) => Promise<string>> {
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  await cp(join(examples, language), path, { recursive: true });
  await symlink(join(root, 'node_modules'), join(path, 'node_modules'));
  const { rpcUrl } = service();
  const env = {
    ...environmentOfTools,
    TEAM_MEMORY_RPC_URL: rpcUrl,
    TEAM_MEMORY_RPC: new URL(rpcUrl).host,
    TEAM_MEMORY_KEY: key,
  };
  return async (command, ...args) => {
    const { stdout } = await promisify(execFile)(command, args, { cwd: path, env, timeout: timeoutMs });
    return stdout;
  };
}

const expectedOutput = [
  'item notes/alpha.md',
  'item notes/beta.md',
  'item notes/release.md',
  'source notes/release.md',
  'error not_found not_found',
];
const wordsOf = (output: string) =>
  output.split('\n').filter((line) => !line.startsWith('text') && line !== '');
const protos = join(root, 'proto');
const ours = join(protos, 'teammemory');

describe('the programs of docs/calling-rpcs.md exchange a key, page, ask and read an error', () => {
  test('in TypeScript', { timeout: timeoutMs }, async () => {
    const run = await copyOf('typescript');
    await run('buf', 'generate', protos, '--path', ours, '--include-imports');
    expect(wordsOf(await run(process.execPath, 'main.ts'))).toEqual(expect.arrayContaining(expectedOutput));
  });

  const hasGo = spawnSync('go', ['version']).status === 0;
  test.skipIf(!hasGo)(
    `in Go${hasGo ? '' : ' (skipped: there is no Go)'}`,
    { timeout: timeoutMs },
    async () => {
      const run = await copyOf('go');
      await run('buf', 'generate', protos, '--path', ours);
      expect(wordsOf(await run('go', 'run', '.'))).toEqual(expect.arrayContaining(expectedOutput));
    },
  );

  test('in Python', { timeout: timeoutMs }, async ({ skip }) => {
    const version = '1.85.1';
    const environment = await preparePythonEnvironment({
      name: `rpc-example-${version}`,
      packages: ['grpcio', 'grpcio-status', 'grpcio-tools'].map((name) => `${name}==${version}`),
      purpose: 'the program in Python that calls RPCs',
    });
    if ('reason' in environment) return skip(environment.reason);
    const run = await copyOf('python');
    await run('mkdir', 'gen');
    await run('sh', '-c', `"${environment.python}" ${pythonGenerator}`);
    expect(wordsOf(await run(environment.python, 'main.py'))).toEqual(expect.arrayContaining(expectedOutput));
  });
});

const pythonGenerator =
  '-m grpc_tools.protoc -I "$TEAM_MEMORY_PROTOS" --python_out=gen --grpc_python_out=gen $(find "$TEAM_MEMORY_PROTOS/teammemory" "$TEAM_MEMORY_PROTOS/buf" -name "*.proto")';
