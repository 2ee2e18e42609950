import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sendJson } from '@teammemory/client/testing/serve.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTms } from '../testing/run-tms.fixture.ts';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace();
});

afterEach(() => workspace.close());

const expiresAt = '2026-11-21T06:29:00.123Z';
const linkPath = '/api/v1/sign-in-links';
const run = (args: string[], env: Record<string, string> = {}) =>
  runTms(args, { env: { ...workspace.env, ...env }, cwd: workspace.folder });
const answerWithLink = () =>
  workspace.service.intercept(linkPath, (response) =>
    sendJson(response, 201, { sign_in_token: 'tmsl_id_secret', expires_at: expiresAt }),
  );

/** A browser that writes down the arguments it was started with, and ends with a code. */
async function fakeBrowser(exitCode: number): Promise<string> {
  const path = join(workspace.folder, `browser-${exitCode}`);
  await workspace.write(
    `browser-${exitCode}`,
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${path}.args'\nexit ${exitCode}\n`,
  );
  await chmod(path, 0o700);
  return path;
}

describe('tms open', () => {
  it('prints a link that signs in as the holder of the key', async () => {
    answerWithLink();
    const address = `${workspace.service.url}/sign-in#tmsl_id_secret`;
    expect(await run(['open', '--print'])).toMatchObject({ exitCode: 0, stdout: `${address}\n` });
    answerWithLink();
    expect(await workspace.runJson(0, 'open', '--print')).toEqual({
      address,
      opened: false,
      expires_at: expiresAt,
    });
  });

  it('starts the browser with the link as its one argument, and shows the token nowhere else', async () => {
    answerWithLink();
    const browser = await fakeBrowser(0);
    const { exitCode, stdout, stderr } = await run(['open'], { BROWSER: browser });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `${workspace.service.url} is open in your browser.\n`,
    });
    expect(stderr).not.toContain('tmsl_');
    expect(await readFile(`${browser}.args`, 'utf8')).toBe(
      `${workspace.service.url}/sign-in#tmsl_id_secret\n`,
    );
  });

  it('prints the link and says why where no browser starts', async () => {
    for (const browser of ['/nowhere/browser', await fakeBrowser(3)]) {
      answerWithLink();
      const { exitCode, stdout } = await run(['open'], { BROWSER: browser });
      expect(exitCode).toBe(0);
      expect(stdout).toBe(
        `No browser could be started with ${browser}. Open this link within two minutes:\n${workspace.service.url}/sign-in#tmsl_id_secret\n`,
      );
    }
  });

  it('shows the first page without a key, and where the service is too old for links', async () => {
    const plain = { address: `${workspace.service.url}/`, opened: false, expires_at: null };
    const { TMS_KEY: _, ...env } = workspace.env;
    const without = await runTms(['open', '--print', '--json'], { env, cwd: workspace.folder });
    expect(JSON.parse(without.stdout)).toEqual(plain);
    workspace.service.intercept(linkPath, (response) =>
      sendJson(response, 404, { code: 'not_found', detail: 'There is no such path.' }),
    );
    expect(await workspace.runJson(0, 'open', '--print')).toEqual(plain);
  });

  it('says what is wrong with a key that the service refuses', async () => {
    const { exitCode, stderr } = await run(['open', '--print', '--key', 'tms_other_secret']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('ask an administrator for a new key');
  });
});
