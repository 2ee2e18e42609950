import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { item } from '../support/http/api.ts';
import { newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { type TmsFolder, tmsFolder } from '../support/sync/tms-folder.ts';

/** Each test starts the program some times. */
const testTimeoutMs = 90_000;

vi.setConfig({ testTimeout: testTimeoutMs });
const service = sharedService();
let directory: TemporaryDirectory;
let clients: TeamClients;
let folder: TmsFolder;
let environment: Record<string, string>;

beforeEach(async () => {
  directory = await temporaryDirectory();
  clients = await newTeam(service());
  environment = {
    TMS_URL: service().url,
    TMS_TEAM: clients.slug,
    TMS_KEY: clients.teamKey,
    TMS_RPC_URL: service().rpcUrl,
  };
  folder = await tmsFolder(join(directory.path, 'folder'), environment);
});

afterEach(() => directory.remove());

async function prints(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await folder.run(...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

const json = async (...args: string[]) => JSON.parse(await prints(...args, '--json'));

describe('the versions of a file', () => {
  const first = '---\nver: 1.10 # kept\n---\r\n# Plan\r\n\nOne.';

  test('are listed, shown byte for byte, and restored as a new version that a pull brings here', async () => {
    await folder.write('notes/plan.md', first);
    await prints('push', '.');
    await folder.write('notes/plan.md', '# Plan\n\nTwo.\n');
    await prints('push');
    const { row_key, versions } = await json('log', 'notes/plan.md');
    expect(row_key).toBe('notes/plan.md');
    expect(versions).toMatchObject([{ updated_by: 'ada', tier: 'team' }, { tier: 'team' }]);
    const [newest, oldest] = versions.map(({ revision }: { revision: number }) => String(revision));
    expect(await prints('log', 'notes/plan.md')).toMatch(
      new RegExp(`^${newest} .*ada.*team.*\\n${oldest} .*ada.*team.*\\n$`),
    );
    expect(await prints('show', 'notes/plan.md', '--version', oldest)).toBe(first);
    expect(await prints('show', 'notes/plan.md')).toBe('# Plan\n\nTwo.\n');

    await prints('restore', 'notes/plan.md', '--version', oldest);
    expect(await folder.read('notes/plan.md')).toBe('# Plan\n\nTwo.\n');
    await prints('pull');
    expect(await folder.read('notes/plan.md')).toBe(first);
    expect(await json('restore', 'notes/plan.md', '--version', oldest)).toMatchObject({ restored: false });
    expect((await json('log', 'notes/plan.md')).versions).toHaveLength(3);
  });

  test('of a removed file can be restored', async () => {
    await clients.team.push(item('a.md', 'alive\n'));
    await clients.team.remove('a.md');
    const { versions } = await json('log', 'a.md');
    expect(versions[0]).toMatchObject({ deleted: true });
    const { code, stderr } = await folder.run('show', 'a.md', '--version', String(versions[0].revision));
    expect([code, stderr]).toEqual([1, expect.stringContaining('is its removal')]);
    await prints('restore', 'a.md', '--version', String(versions[1].revision));
    expect(await clients.team.rows()).toMatchObject([{ row_key: 'a.md', content: 'alive\n' }]);
  });

  test('are followed to the name that a file had before it was renamed', async () => {
    await folder.write('draft.md', 'one\n');
    await folder.write('other.md', 'other\n');
    await prints('push', '.');
    await folder.write('draft.md', 'two\n');
    await prints('push');
    await prints('rm', 'other.md');
    await prints('mv', 'draft.md', 'plan.md');
    await prints('push');
    const { versions, before } = await json('log', 'plan.md');
    expect(versions).toHaveLength(1);
    expect(before).toMatchObject([{ row_key: 'draft.md', versions: [{ deleted: true }, {}, {}] }]);
    expect(await prints('log', 'plan.md')).toContain('\nbefore, as draft.md:\n');
    expect(await json('log', 'other.md')).toMatchObject({ before: [] });
  });

  test('that are not there are told with the number of the newest', async () => {
    await clients.team.push(item('a.md', 'alive\n'));
    const [{ revision }] = (await json('log', 'a.md')).versions;
    for (const command of ['restore', 'show']) {
      const { code, stderr } = await folder.run(command, 'a.md', '--version', String(revision + 99));
      const message = `There is no version ${revision + 99} of a.md: the newest one is ${revision}.`;
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    }
  });

  test('of what was made internal do not become external again', async () => {
    const { team, external } = clients;
    await team.push(item('a.md', 'shown', { tier: 'external' }));
    await team.push(item('a.md', 'hidden'));
    const { versions } = await json('log', 'a.md');
    await prints('restore', 'a.md', '--version', String(versions[1].revision));
    expect(await team.rows()).toMatchObject([{ content: 'shown', tier: 'team' }]);
    expect(await external.rows()).toEqual([]);
  });

  test('of a file that nobody pushed are an error that names it', async () => {
    for (const command of [['log'], ['show'], ['restore', '--version', '1']]) {
      const { code, stderr } = await folder.run(...command, 'absent.md');
      expect([command[0], code, stderr]).toEqual([command[0], 1, expect.stringMatching(/^tms: /)]);
    }
    expect((await folder.run('show', 'a.md', '--version', 'two')).code).toBe(2);
  });
});

describe('lists', () => {
  test('ls shows items with tier and author, those of a folder if one is named', async () => {
    const open = { tier: 'external' };
    await clients.team.push(
      item('p/a.md'),
      item('q/b.md', 'b', open),
      item('p/\u001b]0;x\u0007.md'.slice(0, 2)),
    );
    await clients.team.push(item('p/z.md'));
    const all = await prints('ls');
    expect(all).toMatch(/^p\/a\.md +team +\d{4}-\d\d-\d\dT\d\d:\d\dZ +ada$/m);
    expect(all).toMatch(/^q\/b\.md +external /m);
    expect((await json('ls', 'p/')).items.map((row: { row_key: string }) => row.row_key)).toEqual(
      expect.arrayContaining(['p/a.md', 'p/z.md']),
    );
    expect(await prints('ls', 'none/')).toBe('');
  });

  test('tasks are sorted by day and chosen by owner, status, day and project', async () => {
    const lines = [
      '- [ ] Mow @ada due:2026-12-24 +garden',
      '- [x] Feed @eve due:2026-11-30',
      '- [ ] Paint',
      '- [ ] Dig @ada due:2026-12-01',
    ];
    await clients.team.push(item('todo.md', lines.join('\n')));
    const titles = async (...options: string[]) =>
      (await json('tasks', ...options)).tasks.map(({ title }: { title: string }) => title);
    expect(await titles()).toEqual(['Feed', 'Dig', 'Mow', 'Paint']);
    expect(await titles('--owner', '@Ada', '--due-by', '2026-12-01')).toEqual(['Dig']);
    expect(await titles('--due', '2026-12-01')).toEqual(['Feed', 'Dig']);
    expect(await titles('--status', 'done')).toEqual(['Feed']);
    expect(await titles('--project', 'garden')).toEqual(['Mow']);
    expect(await prints('tasks', '--project', 'garden')).toMatch(
      /^2026-12-24 +open +ada +garden +Mow +todo\.md:1\n$/,
    );
    expect((await folder.run('tasks', '--due-by', '2026-02-30')).code).toBe(2);
    expect((await folder.run('tasks', '--owner', 'no body')).stderr).toContain('must be 1 to 64 letters');
  });

  test('projects are listed with their names', async () => {
    await asAdministrator(service(), (admin) =>
      admin.createProject({ team: clients.slug, slug: 'garden', name: 'The garden' }),
    );
    expect(await prints('projects')).toBe('garden  The garden  no items\n');
  });
});

describe('search', () => {
  test('lists the passages that fit best with what they are of, as many as wanted', async () => {
    const plan = '# Plan\n\n## Ferry\n\nThe ferry leaves at nine.\n\n## Mill\n\nThe mill grinds.\n';
    await clients.team.push(item('plan.md', plan), item('log.md', 'The ferry was late.'));
    const text = await prints('search', 'When', 'does', 'the', 'ferry', 'leave?');
    expect(text).toMatch(
      /^\[1\] .*Plan > Ferry, plan\.md \(item, \d{4}-\d\d-\d\d, team\)\n {4}The ferry leaves at nine\.\n/,
    );
    const { passages, incomplete } = await json('search', 'When does the ferry leave?', '--limit', '1');
    expect([passages, incomplete]).toMatchObject([
      [{ row_key: 'plan.md', headings: ['Plan', 'Ferry'] }],
      false,
    ]);
    expect(await prints('search', 'zebra')).toBe('Nothing was found.\n');
  });
});

describe('decisions', () => {
  test('are shown without being changed, by the beginning of their id', async () => {
    await folder.write('reasons.md', '# Why\n\nIt is there.\n');
    const create = ['decisions', 'create', '--title', 'Use SQLite', '--audience', 'team'];
    const { decision_id } = await json(...create, '--body', '@reasons.md');
    await prints('decision', 'hide', decision_id);
    const list = () =>
      clients.team
        .pull('?include_deleted=true')
        .then(() => clients.team.call('/decisions?include_deleted=true'));
    const before = (await list()).body.decisions;
    for (const group of ['decisions', 'decision']) {
      expect(await prints(group, 'show', decision_id.slice(0, -4))).toContain('It is there.');
    }
    expect((await list()).body.decisions).toEqual(before);
    expect(before).toMatchObject([{ decision_id, deleted: true }]);
    await prints('decisions', 'unhide', decision_id);
    expect((await list()).body.decisions).toMatchObject([{ decision_id, title: 'Use SQLite' }]);
    expect((await folder.run('decisions', 'show', 'ffffffff')).code).toBe(1);
  });

  test('are edited in the editor, as an edit of what was shown', async () => {
    const { decision_id } = await json(
      ...['decisions', 'create', '--title', 'A', '--audience', 'team', '--body', 'one\n'],
    );
    const editor = join(directory.path, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\necho two >> "$1"\n', { mode: 0o755 });
    const mine = await tmsFolder(folder.path, { ...environment, VISUAL: editor });
    const { code, stderr } = await mine.run('decisions', 'edit', decision_id);
    expect(code, stderr).toBe(0);
    const { body } = (await clients.team.call('/decisions')).body.decisions[0];
    expect(body).toBe('one\ntwo\n');
  });
});

test('a question is the rest of the line or comes from standard input, and a reader that is gone ends it with 141', async () => {
  await clients.team.push(item('ferry.md', 'The ferry leaves at nine.'));
  const answer = await prints('ask', 'When', 'does', 'the', 'ferry', 'leave');
  expect(answer).toMatch(
    /nine[\s\S]*Sources:\n\[1\] .*ferry\.md \(item, \d{4}-\d\d-\d\d, .*team\)\n {4}http/,
  );
  const piped = spawn(
    ...([
      '/bin/sh',
      ['-c', `echo "When does the ferry leave?" | "$0" "$1" ask -`, process.execPath, program],
    ] as const),
    { env: { PATH: process.env.PATH ?? '', ...environment } },
  );
  let said = '';
  piped.stdout.on('data', (text) => {
    said += text;
  });
  expect(await new Promise((resolve) => piped.once('close', resolve))).toBe(0);
  expect(said).toContain('nine');
  const unread = spawn(process.execPath, [program, 'ask', 'When does the ferry leave?'], {
    env: { PATH: process.env.PATH ?? '', ...environment },
  });
  unread.stdout.destroy();
  expect(await new Promise((resolve) => unread.once('close', resolve))).toBe(141);
});

const program = join(import.meta.dirname, '../../libs/cli/src/main.ts');

/** A shell that completes a line, by the name of its program; what it offers stands on lines of their own. */
const shells: Record<string, (script: string, words: readonly string[]) => [string, string[]]> = {
  bash: (script, words) => [
    'bash',
    [
      '-c',
      `source ${script}; COMP_WORDS=(${words.join(' ')} ""); COMP_CWORD=${words.length}; _tms; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
  ],
  fish: (script, words) => ['fish', ['-c', `source ${script}; complete -C "${words.join(' ')} "`]],
  zsh: (script, words) => [
    'zsh',
    [
      '-fc',
      `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; _files() { :; }; source ${script}; words=(${words.join(' ')} ""); CURRENT=${words.length + 1}; _tms`,
    ],
  ],
};

describe('completion', () => {
  for (const [shell, invoke] of Object.entries(shells)) {
    test(`in ${shell} offers commands, those of a group, and the values of an argument`, async (context) => {
      const [probe] = await run(shell, ['--version']);
      if (probe !== 0) {
        context.skip(`${shell} is not installed`);
        return;
      }
      const script = join(directory.path, `completion.${shell}`);
      await mkdir(directory.path, { recursive: true });
      await writeFile(script, await prints('completion', shell));
      const offers = async (...words: string[]) => {
        const [, text] = await run(...invoke(script, words));
        return text.split('\n').map((line) => line.split('\t')[0]);
      };
      expect(await offers('tms')).toEqual(
        expect.arrayContaining(['init', 'sync', 'ask', 'decisions', 'admin']),
      );
      expect(await offers('tms', 'admin', 'key')).toEqual(
        expect.arrayContaining(['create', 'list', 'revoke']),
      );
      expect(await offers('tms', 'completion')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    });
  }
});

/** Runs a program and returns its exit code, null if there is no such program, and what it printed. */
function run(name: string, args: readonly string[]): Promise<[code: number | null, text: string]> {
  return new Promise((resolve) => {
    const child = spawn(name, args, { env: { PATH: process.env.PATH ?? '', HOME: directory.path } });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.once('error', () => resolve([null, '']));
    child.once('close', (code) => resolve([code, text]));
  });
}
