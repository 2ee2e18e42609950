import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { logHome, now } from '../logs.fixture.ts';

const at = now.getTime() - 3_600_000;
const timestamp = new Date(at).toISOString();

function database(path: string, schema: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  const made = new DatabaseSync(path);
  made.exec(schema);
  return made;
}

test('Gemini CLI: what was cached is a part of the input', async () => {
  const home = logHome();
  const messages = [
    { id: 'm1', timestamp, type: 'user', content: 'Mend it' },
    {
      id: 'm2',
      timestamp,
      type: 'gemini',
      model: 'gemini-2.5-pro',
      tokens: { input: 1000, cached: 400, output: 50, thoughts: 30, tool: 0, total: 1080 },
      toolCalls: [
        { id: 't1', name: 'run_shell_command', args: { command: 'go test ./...' }, status: 'error' },
        { id: 't2', name: 'replace', args: {}, status: 'cancelled' },
      ],
    },
  ];
  home.file('.gemini/tmp/0f/chats/session-1.json', { sessionId: 'g1', messages });
  home.lines('.gemini/tmp/0f/chats/session-2.jsonl', { sessionId: 'g1' }, ...messages);
  const { body, clients } = await home.report();
  expect(clients).toEqual([{ client: 'Gemini CLI', sessions: 1, tasks: 1 }]);
  expect(body.signals).toMatchObject({
    cache_hit_rate: 0.4,
    tokens_per_task: 680,
  });
  // It logs no subagents, which is not the same as none.
  expect(body.signals).not.toHaveProperty('subagent_usage');
});

const user = { role: 'user', time: { created: at } };
const assistant = {
  role: 'assistant',
  modelID: 'claude-sonnet-4-5',
  time: { created: at },
  tokens: { input: 10, output: 20, reasoning: 5, cache: { read: 90, write: 100 } },
};
const tool = { type: 'tool', tool: 'edit', callID: 'c1', state: { status: 'completed', input: {} } };

test('opencode: the same session in files and in the database counts once, a child session is a subagent', async () => {
  const home = logHome();
  const storage = '.local/share/opencode/storage';
  home.file(`${storage}/session/p/ses_1.json`, { id: 'ses_1' });
  home.file(`${storage}/session/p/ses_2.json`, { id: 'ses_2', parentID: 'ses_1' });
  home.file(`${storage}/message/ses_1/msg_1.json`, user);
  home.file(`${storage}/message/ses_1/msg_2.json`, assistant);
  home.file(`${storage}/part/msg_2/prt_1.json`, tool);
  home.file(`${storage}/message/ses_2/msg_3.json`, user);
  const made = database(
    join(home.home, '.local/share/opencode/opencode.db'),
    `CREATE TABLE session (id TEXT, parent_id TEXT);
     CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
     CREATE TABLE part (id TEXT, message_id TEXT, data TEXT);
     INSERT INTO session VALUES ('ses_1', NULL);`,
  );
  const insert = made.prepare("INSERT INTO message VALUES (?, 'ses_1', ?, ?)");
  insert.run('msg_1', at, JSON.stringify(user));
  insert.run('msg_2', at, JSON.stringify(assistant));
  made.prepare("INSERT INTO part VALUES ('prt_1', 'msg_2', ?)").run(JSON.stringify(tool));
  made.close();
  const { body, clients, skipped } = await home.report();
  expect(clients).toEqual([{ client: 'opencode', sessions: 1, tasks: 1 }]);
  expect(body.signals).toMatchObject({ delegation_ratio: 1, cache_hit_rate: 0.45, tokens_per_task: 135 });
  expect(skipped).toEqual({ torn: 0, large: 0, files: 0 });
});

test('Cursor: conversations are read, tokens are not trusted, and the keys beside them stay unread', async () => {
  const home = logHome();
  const made = database(
    join(home.home, '.config/Cursor/User/globalStorage/state.vscdb'),
    `CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB);
     CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB);
     INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', 'secret');`,
  );
  const put = (key: string, value: unknown) =>
    made
      .prepare('INSERT INTO cursorDiskKV VALUES (?, ?)')
      .run(key, typeof value === 'string' ? value : JSON.stringify(value));
  put('composerData:k1', { lastUpdatedAt: at });
  put('composerData:old', { lastUpdatedAt: 1 });
  put('composerData:torn', '{');
  put('bubbleId:k1:b', { type: 1, createdAt: timestamp, text: 'Mend it' });
  const terminal = { name: 'run_terminal_cmd', status: 'error', rawArgs: '{"command":"npm run lint"}' };
  const later = new Date(at + 1000).toISOString();
  put('bubbleId:k1:a', {
    type: 2,
    createdAt: later,
    tokenCount: { inputTokens: 5 },
    toolFormerData: terminal,
  });
  put('bubbleId:old:a', { type: 1, createdAt: timestamp });
  made.close();
  const { body, clients } = await home.report();
  expect(clients).toEqual([{ client: 'Cursor', sessions: 1, tasks: 1 }]);
  expect(body.signals).toEqual({ delegation_ratio: 1, tool_diversity: 1 });
});

test.each([
  ['closed', ['state.vscdb']],
  ['open', ['state.vscdb', 'state.vscdb-shm', 'state.vscdb-wal']],
])(
  'Cursor: a database with a log of writes that is %s is read, and no file stays beside it',
  async (state, files) => {
    const home = logHome();
    const path = join(home.home, '.config/Cursor/User/globalStorage/state.vscdb');
    const made = database(
      path,
      'PRAGMA journal_mode = WAL; CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB);',
    );
    onTestFinished(() => {
      if (made.isOpen) made.close();
    });
    const put = made.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)');
    put.run('composerData:k1', JSON.stringify({ lastUpdatedAt: at }));
    put.run('bubbleId:k1:b', JSON.stringify({ type: 1, createdAt: timestamp }));
    if (state === 'closed') made.close();
    const { body, skipped } = await home.report();
    expect(body).toMatchObject({ sessions: 1, tasks: 1 });
    expect(skipped).toEqual({ torn: 0, large: 0, files: 0 });
    expect(readdirSync(dirname(path)).sort()).toEqual(files);
  },
);
