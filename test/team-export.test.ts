import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scan, scanWith, snapshot } from './support/analytics/valid-bodies.ts';
import { item } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { asAdministrator } from './support/service/as-administrator.ts';
import { describeEachService } from './support/service/shared-service.ts';
import { type TmsFolder, tmsFolder } from './support/sync/tms-folder.ts';

/** Each test starts the program some times. */
const testTimeoutMs = 90_000;

vi.setConfig({ testTimeout: testTimeoutMs });

/** Lines of a file of an export, without times, which an import gives anew. */
async function rowsOf(folder: string, name: string): Promise<unknown[]> {
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter(Boolean);
  return lines
    .map((line) => {
      const { updated_at, pushed_at, task_id, ...row } = JSON.parse(line);
      return row;
    })
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

const files = ['items', 'decisions', 'tasks', 'projects', 'scans', 'snapshots'].map(
  (kind) => `${kind}.jsonl`,
);

describeEachService('a team in a folder', (service) => {
  let directory: TemporaryDirectory;
  let clients: TeamClients;
  let tms: TmsFolder;

  beforeEach(async () => {
    directory = await temporaryDirectory();
    clients = await newTeam(service());
    const { rpcUrl, adminToken } = service();
    tms = await tmsFolder(directory.path, { TMS_RPC_URL: rpcUrl, TMS_ADMIN_TOKEN: adminToken });
  });
  afterEach(() => directory.remove());

  async function fillTeam(): Promise<void> {
    const { team, external, slug } = clients;
    const odd = { frontmatter: { audience: 'team', n: [1, { a: 'b' }] } };
    const pushed = await team.push(
      item('plan.md', '# Plan\n'),
      item('PLAN.md', 'differs in case'),
      item('no-markdown', 'text'),
      item('odd.md', 'a \u2028 b', odd),
      item('projects/web/tasks.md', '- [ ] Ship it @ada due:2026-12-01\n'),
      item('gone.md'),
    );
    expect(pushed.body.errors).toEqual([]);
    await team.remove('gone.md');
    await external.push(
      item('guest.md', 'text', { tier: 'external' }),
      item('AGENTS.md', 'text', { tier: 'external' }),
    );
    await asAdministrator(service(), async (admin) => {
      const decisions = admin.decisions(slug);
      await decisions.create({
        title: 'Kept',
        body: '- [ ] Do it',
        audience: 'team',
        decidedOn: '2026-11-20',
      });
      const hidden = await decisions.create({ title: 'Hidden', audience: 'external' });
      await decisions.edit(hidden.decision_id, { hidden: true });
      const removed = await decisions.create({ title: 'Removed', audience: 'team' });
      await decisions.remove(removed.decision_id);
      await admin.createProject({ team: slug, slug: 'api', name: 'The API' });
    });
    for (const head_sha of ['a1', 'b2']) {
      const body = scanWith('metrics', { head_sha: head_sha.repeat(20) });
      expect((await team.call('/codebases', { body })).status).toBe(200);
    }
    expect((await team.call('/metrics', { body: snapshot() })).status).toBe(200);
  }

  const exportTo = async (name: string, team = clients.slug) => {
    const run = await tms.run('export', '--team', team, name);
    expect(run.code, run.stderr).toBe(0);
    return join(directory.path, name);
  };

  test('comes back in another team as it was, and an import that is repeated changes nothing', async () => {
    await fillTeam();
    const first = await exportTo('first');
    const copy = `${clients.slug}-copy`;
    for (const written of [7, 0]) {
      const run = await tms.run('import', '--team', copy, 'first', '--json');
      expect(run.code, run.stderr + run.stdout).toBe(0);
      expect(JSON.parse(run.stdout)).toMatchObject({
        written: { items: written },
        refused: [],
      });
    }
    const second = await exportTo('second', copy);
    for (const name of files) expect(await rowsOf(second, name), name).toEqual(await rowsOf(first, name));
    expect(await rowsOf(first, 'decisions.jsonl')).toHaveLength(2);
    expect(await rowsOf(first, 'tasks.jsonl')).not.toEqual([]);
    expect(await rowsOf(first, 'scans.jsonl')).toMatchObject(Array(2).fill({ issues: scan().issues }));
    expect(await rowsOf(first, 'snapshots.jsonl')).toMatchObject([{ counts_in_rollups: true }]);
  });

  test('is readable as Markdown, has nothing that agents would obey, and only its owner may read it', async () => {
    await fillTeam();
    const folder = await exportTo('out');
    expect(await readFile(join(folder, 'items/plan.md'), 'utf8')).toContain('# Plan\n');
    expect((await readdir(join(folder, 'items'))).sort()).toEqual([
      'guest.md',
      'odd.md',
      'plan.md',
      'projects',
    ]);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      expect((await stat(join(entry.parentPath, entry.name))).mode & 0o077, entry.name).toBe(0);
    }
    expect((await readdir(directory.path)).filter((name) => name.includes('partial'))).toEqual([]);
    expect((await tms.run('export', '--team', clients.slug, 'out')).code).toBe(2);
  });

  test('that was edited comes as it is now, and never replaces what the team has', async () => {
    await clients.team.push(item('plan.md', 'before'), item('same.md'));
    const folder = await exportTo('edited');
    await writeFile(join(folder, 'items/plan.md'), 'after');
    const kept = await tms.run('import', '--team', clients.slug, 'edited', '--json');
    expect(kept.code).toBe(1);
    expect(JSON.parse(kept.stdout).refused).toMatchObject([{ id: 'plan.md', code: 'conflict' }]);
    const copy = `${clients.slug}-copy`;
    expect((await tms.run('import', '--team', copy, 'edited')).code).toBe(0);
    const again = await exportTo('again', copy);
    expect(await readFile(join(again, 'items/plan.md'), 'utf8')).toBe('after');
  });

  test('is of one moment, however much is written meanwhile', async () => {
    const { team, slug } = clients;
    const writing = { goesOn: true };
    const write = async () => {
      for (let round = 0; writing.goesOn; round += 1) {
        const names = Array.from({ length: 20 }, (_, n) => `notes/${(round * 7 + n) % 50}.md`);
        await team.push(...names.map((name) => item(name, `round ${round}`)));
        await team.remove(`notes/${round % 50}.md`);
      }
    };
    const writers = Promise.all([write(), write()]);
    let folder: string;
    try {
      folder = await exportTo('busy', slug);
    } finally {
      writing.goesOn = false;
      await writers;
    }
    const lines = (await rowsOf(folder, 'items.jsonl')) as {
      row_key: string;
      file: string;
      checksum: string;
    }[];
    expect(new Set(lines.map(({ row_key }) => row_key)).size).toBe(lines.length);
    const written = await readdir(join(folder, 'items/notes')).catch(() => []);
    expect(written.map((name) => `notes/${name}`).sort()).toEqual(lines.map(({ row_key }) => row_key).sort());
    for (const { file, checksum } of lines) {
      const bytes = await readFile(join(folder, file));
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(checksum);
    }
    expect((await tms.run('import', '--team', `${slug}-copy`, 'busy')).code).toBe(0);
  });

  test('that is damaged, cut or newer is refused before anything is written', async () => {
    await fillTeam();
    const folder = await exportTo('good');
    const copy = `${clients.slug}-copy`;
    const damage = async (name: string, change: (text: string) => string, code: string) => {
      const path = join(folder, name);
      const text = await readFile(path, 'utf8');
      await writeFile(path, change(text));
      const { stdout } = await tms.run('import', '--team', copy, 'good', '--json');
      expect(JSON.parse(stdout), name).toMatchObject({ error: { code } });
      await writeFile(path, text);
    };
    for (const name of [...files, 'export.json']) {
      await damage(name, (text) => text.slice(0, text.length / 2), 'damaged_export');
    }
    await damage('items.jsonl', (text) => text.replaceAll('items/', 'items/../'), 'damaged_export');
    await damage('export.json', (text) => text.replace('"version": 1', '"version": 2'), 'newer_export');
    await damage('export.json', (text) => text.replace(/"handle": "/, '"handle": "../'), 'damaged_export');
    await appendFile(join(folder, 'tasks.jsonl'), '{}\n');
    expect((await tms.run('import', '--team', copy, 'good')).code).toBe(1);
    const teams = await tms.run('admin', 'team', 'list');
    expect(teams.stdout).not.toContain(copy);
  });

  test.skipIf(process.platform === 'win32')(
    'brings in nothing from outside the folder: links, pipes and huge files are refused at once',
    async () => {
      await clients.team.push(item('notes/a.md', 'mine'), item('b.md', 'mine'));
      const folder = await exportTo('hostile');
      await mkdir(join(directory.path, 'private/notes'), { recursive: true });
      const secret = join(directory.path, 'private/notes/a.md');
      await writeFile(secret, 'a private file of the administrator');
      const copy = `${clients.slug}-copy`;
      const refuses = async (what: string, name: string, replace: (path: string) => Promise<unknown>) => {
        const path = join(folder, name);
        await rename(path, join(directory.path, 'aside'));
        await replace(path);
        const { code, stdout } = await tms.run('import', '--team', copy, 'hostile', '--json');
        expect(JSON.parse(stdout), what).toMatchObject({ error: { code: 'damaged_export' } });
        expect(stdout, what).toContain(name);
        expect(code, what).toBe(1);
        await rm(path, { recursive: true });
        await rename(join(directory.path, 'aside'), path);
      };
      await refuses('a linked item', 'items/notes/a.md', (path) => symlink(secret, path));
      await refuses('a linked folder', 'items/notes', (path) =>
        symlink(join(directory.path, 'private/notes'), path),
      );
      await refuses('linked items', 'items', (path) => symlink(join(directory.path, 'private'), path));
      await refuses('linked lines', 'projects.jsonl', (path) => symlink(secret, path));
      await refuses('a linked manifest', 'export.json', (path) => symlink(secret, path));
      const pipe = (path: string) => promisify(execFile)('mkfifo', [path]);
      await refuses('an item that is a pipe', 'items/b.md', pipe);
      await refuses('lines that are a pipe', 'scans.jsonl', pipe);
      const huge = async (path: string) => {
        await writeFile(path, '');
        await truncate(path, 3 * 1024 ** 3);
      };
      await refuses('a huge item', 'items/b.md', huge);
      await refuses('a huge manifest', 'export.json', huge);
      await refuses('a huge line', 'tasks.jsonl', huge);
      expect((await tms.run('admin', 'team', 'list')).stdout).not.toContain(copy);
      expect((await tms.run('import', '--team', copy, 'hostile')).code).toBe(0);
    },
  );

  test('comes back also with items of the largest size, whose front matter is longer in the file', async () => {
    let deepest: unknown = Array(15_000).fill(0);
    for (let level = 0; level < 6; level += 1) deepest = [deepest];
    const largest = item('largest.md', 'x'.repeat(1024 * 1024), { frontmatter: { numbers: deepest } });
    const pushed = await clients.team.push(largest);
    expect(pushed.body.errors).toEqual([]);
    const folder = await exportTo('large');
    expect((await stat(join(folder, 'items/largest.md'))).size).toBeGreaterThan(1024 * 1024 + 200_000);
    const run = await tms.run('import', '--team', `${clients.slug}-copy`, 'large');
    expect(run.code, run.stderr + run.stdout).toBe(0);
  });

  test('brings administrators only into a team in which nobody has a key, also after an interrupted import', async () => {
    const { slug } = clients;
    const folder = await exportTo('roles');
    const manifest = JSON.parse(await readFile(join(folder, 'export.json'), 'utf8'));
    manifest.members.push({ handle: 'chief', role: 'admin' });
    await writeFile(join(folder, 'export.json'), JSON.stringify(manifest));
    const rolesOf = async (team: string) => {
      const { stdout } = await tms.run('admin', 'member', 'list', '--team', team, '--json');
      const { members } = JSON.parse(stdout) as { members: { handle: string; role: string }[] };
      return Object.fromEntries(members.map(({ handle, role }) => [handle, role]));
    };
    expect((await tms.run('import', '--team', slug, 'roles')).code).toBe(0);
    expect((await rolesOf(slug)).chief).toBe('member');
    // What an import leaves that was killed before it added the first member.
    const copy = `${slug}-copy`;
    expect((await tms.run('admin', 'team', 'create', copy, '--name', 'Copy')).code).toBe(0);
    expect((await tms.run('import', '--team', copy, 'roles')).code).toBe(0);
    expect((await rolesOf(copy)).chief).toBe('admin');
  });

  test.skipIf(process.platform === 'win32')('is not written where a link is', async () => {
    await mkdir(join(directory.path, 'elsewhere'));
    await symlink(join(directory.path, 'elsewhere'), join(directory.path, 'link'));
    const run = await tms.run('export', '--team', clients.slug, 'link');
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('is a link') });
    expect((await readdir(directory.path)).sort()).toEqual(['elsewhere', 'link']);
  });

  test('cannot be taken out or brought in with the key of a member', async () => {
    const member = await tmsFolder(directory.path, {
      TMS_RPC_URL: service().rpcUrl,
      TMS_ADMIN_TOKEN: clients.teamKey,
    });
    const run = await member.run('export', '--team', clients.slug, 'mine', '--json');
    expect(run.code).toBe(1);
    expect(await readdir(directory.path)).toEqual([]);
  });
});
