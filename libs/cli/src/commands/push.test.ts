import { createHash } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sendJson } from '@teammemory/client/testing/serve.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace();
});

afterEach(() => workspace.close());

describe('tms push', () => {
  it('sends the body, the front matter as data and the SHA-256 of the file', async () => {
    const text = '---\ntitle: Plan\ndate: 2026-11-21\n---\n# Plan\n';
    await workspace.write('notes/sub/plan.md', text);
    expect(await workspace.runJson(0, 'push', 'notes')).toEqual({
      pushed: 1,
      unchanged: 0,
      rejected: 0,
      errors: [],
    });
    expect(workspace.service.row('sub/plan.md')).toMatchObject({
      content: '# Plan\n',
      frontmatter: { title: 'Plan', date: '2026-11-21' },
      tier: 'team',
      checksum: `sha256:${createHash('sha256').update(text).digest('hex')}`,
    });
  });

  it('sends nothing that it has sent before', async () => {
    await workspace.write('notes/a.md', 'A');
    await workspace.run('push', 'notes');
    expect(await workspace.runJson(0, 'push', 'notes')).toMatchObject({ pushed: 0, unchanged: 1 });
    expect(workspace.service.batches).toHaveLength(1);
  });

  it('skips hidden folders, node_modules, links and other files', async () => {
    const hidden = ['.git/a.md', 'node_modules/b.md', 'c.txt'].map((file) => `notes/${file}`);
    for (const file of [...hidden, 'outside/secret.md', 'notes/real.MARKDOWN'])
      await workspace.write(file, 'x');
    await symlink(join(workspace.folder, 'outside'), join(workspace.folder, 'notes/link'));
    await symlink(join(workspace.folder, 'outside/secret.md'), join(workspace.folder, 'notes/link.md'));
    await workspace.run('push', 'notes');
    expect(workspace.service.rows().map(({ row_key }) => row_key)).toEqual(['real.MARKDOWN']);
  });

  it('names single files after the working directory, and after themselves outside of it', async () => {
    await workspace.write('notes/a.md', 'A');
    const twice = await workspace.runJson(0, 'push', 'notes/a.md', join(workspace.folder, 'notes/a.md'));
    expect(twice).toMatchObject({ pushed: 1, rejected: 0 });
    expect(workspace.service.row('notes/a.md')).toBeDefined();
    const outside = await openWorkspace();
    await outside.write('b.md', 'B');
    await workspace.run('push', join(outside.folder, 'b.md'));
    await outside.close();
    expect(workspace.service.row('b.md')).toBeDefined();
  });

  it('takes the tier from --tier, else from the audience, else team', async () => {
    await workspace.write('notes/client.md', '---\naudience: Client\n---\nA');
    await workspace.write('notes/plain.md', 'B');
    await workspace.run('push', 'notes');
    expect(workspace.service.row('client.md')).toMatchObject({ tier: 'external' });
    expect(workspace.service.row('plain.md')).toMatchObject({ tier: 'team' });
    expect(await workspace.runJson(0, 'push', 'notes', '--tier', 'external')).toMatchObject({
      pushed: 1,
      unchanged: 1,
    });
    expect(workspace.service.row('plain.md')).toMatchObject({ tier: 'external' });
  });

  it('never sends private content, whatever --tier says, and sends the rest', async () => {
    await workspace.write('notes/diary.md', '---\naudience: Private\n---\nsecret');
    await workspace.write('notes/a.md', 'A');
    const result = await workspace.runJson(1, 'push', 'notes', '--tier', 'team');
    expect(result).toMatchObject({
      pushed: 1,
      rejected: 1,
      errors: [{ row_key: 'diary.md', code: 'admin_tier' }],
    });
    expect(JSON.stringify(workspace.service.batches)).not.toContain('secret');
  });

  it('never sends what says in another way that it is private', async () => {
    const block = '---\naudience: private\n---\n';
    const texts = {
      'a blank line before': `\n${block}`,
      'a comment behind the line': block.replace('---', '--- # front matter'),
      'old line ends': block.replaceAll('\n', '\r'),
      toml: '+++\naudience = "private"\n+++\n',
      'a longer line': `-${block}`,
      'another case': '---\nAudience: private\n---\n',
      'the name of the wire': '---\ntier: Personal\n---\n',
      'a merge': '---\nbase: &p {audience: private}\n<<: *p\n---\n',
    };
    for (const [name, text] of Object.entries(texts))
      await workspace.write(`notes/${name}.md`, `${text}secret`);
    await workspace.write('notes/ruler.md', '\n---\nA tier is a level. The audience claps.\n');
    expect(await workspace.runJson(1, 'push', 'notes')).toMatchObject({ pushed: 1, rejected: 8 });
    expect(JSON.stringify(workspace.service.batches)).not.toContain('secret');
  });

  it('reports files it cannot read as Markdown and sends the others', async () => {
    await workspace.write('notes/a.md', '---\ntitle: [\n---\nA');
    await workspace.write('notes/b.md', '---\naudience: private\nB');
    await workspace.write('notes/c.md', '---\naudience: everybody\n---\nC');
    await workspace.write('notes/d.md', Uint8Array.of(0xff, 0xfe));
    await workspace.write('notes/e.md', 'x'.repeat(1_200_000));
    await workspace.write('notes/f.md', 'F');
    const result = await workspace.runJson(1, 'push', 'notes');
    expect(result).toMatchObject({ pushed: 1, rejected: 5 });
    expect((result.errors as { code: string }[]).map(({ code }) => code)).toEqual([
      'invalid_front_matter',
      'invalid_front_matter',
      'invalid_request',
      'invalid_encoding',
      'payload_too_large',
    ]);
  });

  it('remembers what it pushed, also when a folder and a file in it are named together', async () => {
    await workspace.write('a.md', 'A');
    expect(await workspace.runJson(0, 'push', '.', 'a.md')).toMatchObject({ pushed: 1, unchanged: 0 });
    expect(await workspace.runJson(0, 'push', 'a.md', '.')).toMatchObject({ pushed: 0, unchanged: 1 });
  });

  it('refuses a second file with the same row_key', async () => {
    await workspace.write('one/a.md', '1');
    await workspace.write('two/a.md', '2');
    const result = await workspace.runJson(1, 'push', 'one', 'two');
    expect(result).toMatchObject({ pushed: 1, errors: [{ row_key: 'a.md', code: 'duplicate_row_key' }] });
  });

  it('does not overwrite a version it has not seen', async () => {
    await workspace.write('notes/a.md', 'A');
    await workspace.run('push', 'notes');
    workspace.service.put({ row_key: 'a.md', content: 'B', checksum: 'sha256:b' });
    await workspace.write('notes/a.md', 'C');
    const result = await workspace.runJson(1, 'push', 'notes');
    expect(result).toMatchObject({
      rejected: 1,
      errors: [{ code: 'conflict', current_checksum: 'sha256:b' }],
    });
    expect(workspace.service.row('a.md')).toMatchObject({ content: 'B' });
  });

  it('reports the edit of a file that was removed on the server meanwhile', async () => {
    await workspace.write('notes/a.md', 'A');
    await workspace.run('push', 'notes');
    workspace.service.remove('a.md');
    await workspace.write('notes/a.md', 'B');
    const result = await workspace.runJson(1, 'push', 'notes');
    expect(result).toMatchObject({ rejected: 1, errors: [{ code: 'conflict', current_checksum: null }] });
  });

  it('sends at most 60 items at once and waits out a 429 for as long as it says', async () => {
    for (let number = 0; number < 70; number++) await workspace.write(`notes/${number}.md`, 'x');
    workspace.service.intercept('/api/v1/items', (response) =>
      sendJson(response, 429, { code: 'rate_limited', detail: 'Too many.' }, { 'retry-after': '7' }),
    );
    const outcome = await workspace.run('push', 'notes');
    expect(outcome).toMatchObject({
      exitCode: 0,
      waits: [7_000],
      stdout: 'pushed 70, unchanged 0, rejected 0\n',
    });
    expect(outcome.stderr).toContain('7 s');
    expect(workspace.service.batches.map((batch) => batch.length)).toEqual([60, 10]);
  });

  it('keeps what was accepted before a failure, so that the next push goes on behind it', async () => {
    for (let number = 0; number < 70; number++) await workspace.write(`notes/${number}.md`, 'x');
    const { service } = workspace;
    service.intercept('/api/v1/items', (response) => {
      service.intercept('/api/v1/items', (second) =>
        sendJson(second, 503, { code: 'unavailable', detail: 'Later.' }, { 'retry-after': '1' }),
      );
      sendJson(response, 200, { accepted: 60, rejected: 0, errors: [] });
    });
    const failure = await workspace.runJson(1, 'push', 'notes');
    expect(failure).toMatchObject({
      error: { code: 'unavailable', detail: 'Later.', status: 503, retry_after_seconds: 1 },
    });
    expect(await workspace.runJson(0, 'push', 'notes')).toMatchObject({ pushed: 10, unchanged: 60 });
  });
});
