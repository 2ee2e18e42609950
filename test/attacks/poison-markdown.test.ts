import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { anyMarkdownShape, markdownOf } from '@teammemory/testkit/markdown-grammar.ts';
import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterEach, expect, test } from 'vitest';
import {
  bystanderBoundMs,
  extraMemoryBoundMegabytes,
  printFigures,
  residentMegabytes,
  startBystander,
} from '../support/attacks/bystander.ts';
import { item } from '../support/http/api.ts';
import { keyHolder, newTeam, type TeamClients } from '../support/http/key-holder.ts';
import { asAdministrator } from '../support/service/as-administrator.ts';
import { type StartedService, startService } from '../support/service/running-service.ts';
import { serviceOptionsFor } from '../support/service/shared-service.ts';

const timeoutMs = 120_000;
/** A start that has what it needs; on an idle machine it takes about a second. */
const healthBoundMs = 5_000;
const settings = { ITEM_WRITES_PER_MINUTE: '10000' };

/** 138 KB of Markdown at which parsers that look ahead take 20 s: nested quotes, then two lines in turn. */
const nestedQuotes = markdownOf({ opening: `${'>'.repeat(19)}a\n`, unit: '\t- a\n>>a\n' }, 138_000);
/** The same kind of text in other words. */
const variants: Record<string, string> = {
  'two-tasks.md': markdownOf({ opening: `${'> '.repeat(25)}a\n`, unit: '    1. a\n> > >b\n' }, 256_000),
  'lists-todo.md': markdownOf(
    { opening: `${'- '.repeat(3_000)}a\n`, unit: `\n${' '.repeat(60)}- [ ] a\n>b\n` },
    256_000,
  ),
  'entries-tasks.md': `- [ ] ${'![![]('.repeat(160)}\n`.repeat(270),
  'brackets-tasks.md': `- [ ] ${'['.repeat(250_000)}`,
  'definitions-tasks.md': markdownOf({ opening: '', unit: "[a]: b '\n" }, 256_000),
  'fences-tasks.md': `${'`'.repeat(200_000)} \`\n- [ ] a\n`,
  'headings-tasks.md': `# ${' #'.repeat(120_000)}x\n- [ ] a\n`,
  'blanks-tasks.md': `# a${' '.repeat(250_000)}b\n- [ ] a\n`,
  'html-tasks.md': markdownOf({ opening: '', unit: '<a b="\n<!--\n' }, 256_000),
};

let service: StartedService | undefined;
afterEach(async () => {
  await service?.remove();
  service = undefined;
});

const external = (rowKey: string, content: string) => item(rowKey, content, { tier: 'external' });
/** A catch-up of many texts may take longer than one request may on a busy machine; it goes on meanwhile. */
const workedInMs = 60_000;
const titlesOf = ({ team }: TeamClients): Promise<string[]> =>
  eventually(
    'the tasks',
    async () => {
      const { status, body } = await team.call('/tasks?limit=200');
      return status === 200 && body.tasks.map(({ title }: { title: string }) => title);
    },
    { withinMs: workedInMs },
  );
const skippedOf = (running: StartedService, slug: string) =>
  asAdministrator(running, (admin) => Array.fromAsync(admin.listSkippedTexts(slug))).then((pages) =>
    pages.flat(),
  );

/** The same team, asked by the program that was started anew. */
function again(running: StartedService, clients: TeamClients): TeamClients {
  const { team, external: guest } = clients;
  return {
    ...clients,
    team: keyHolder(running, clients, team.key),
    external: keyHolder(running, clients, guest.key),
  };
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; tookMs: number }> {
  const startedMs = performance.now();
  const result = await work();
  return { result, tookMs: performance.now() - startedMs };
}

describeEachEngine('a guest pushes Markdown made to hold up the parser', ({ storage }) => {
  test('other teams are served, its own team has its tasks, and a kill -9 does not make it a loop', {
    timeout: timeoutMs,
  }, async () => {
    const options = serviceOptionsFor(storage(), settings);
    service = await startService(options);
    const attacked = await newTeam(service);
    const other = await newTeam(service);
    await other.team.push(item('tasks.md', '- [ ] water the plants\n'));
    const memoryBefore = residentMegabytes(service.process.pid);
    const bystander = await startBystander(service, other);

    await attacked.team.push(item('todo.md', '- [ ] feed the hens\n'));
    expect((await attacked.external.push(external('tasks.md', nestedQuotes))).status).toBe(200);
    const poisoned = await timed(() => titlesOf(attacked));
    expect(poisoned.result).toContain('feed the hens');
    const pushed = await attacked.external.push(
      ...Object.entries(variants).map(([rowKey, content]) => external(rowKey, content)),
    );
    expect(pushed.body).toMatchObject({ rejected: 0 });
    const all = await timed(() => titlesOf(attacked));
    expect(all.result).toContain('feed the hens');
    const asked = await timed(() => attacked.team.ask('Who feeds the hens?'));
    const memory = residentMegabytes(service.process.pid) - memoryBefore;
    const report = await bystander.stop();
    const times = [poisoned, all, asked].map(({ tookMs }) => tookMs.toFixed(0)).join(', ');
    printFigures(
      'poison Markdown',
      report,
      `tasks, tasks of ten and a question ${times} ms, +${memory.toFixed(0)} MB`,
    );
    expect(report.failures).toEqual([]);
    expect(report.worstMs).toBeLessThan(bystanderBoundMs);
    expect(poisoned.tookMs).toBeLessThan(2 * bystanderBoundMs);
    if (!Number.isNaN(memory)) expect(memory).toBeLessThan(extraMemoryBoundMegabytes);

    const skipped = await skippedOf(service, attacked.slug);
    expect(skipped).toContainEqual({
      row_key: 'tasks.md',
      decision_id: null,
      noticed_at: expect.any(String),
      reason: 'no tasks below ten lists and quotes: too deep',
    });
    expect(await service.metrics()).toMatch(/teammemory_task_texts_skipped_total\{reason="too_deep"\} [1-9]/);

    // Pushed and killed at once: what was not worked in yet is worked in by the next start.
    await attacked.external.push(
      ...Object.entries(variants).map(([name, text]) => external(`new/${name}`, text)),
    );
    await service.end('SIGKILL');
    const restarted = await timed(() => startService(options));
    service = restarted.result;
    const health = await timed(() => fetch(`${restarted.result.url}/healthz`));
    expect(health.result.status).toBe(200);
    console.log(`start ${restarted.tookMs.toFixed(0)} ms, /healthz then ${health.tookMs.toFixed(0)} ms`);
    expect(health.tookMs).toBeLessThan(healthBoundMs);
    const after = await startBystander(service, other);
    const [tasks, others] = await Promise.all([
      timed(() => titlesOf(again(restarted.result, attacked))),
      timed(() => titlesOf(again(restarted.result, other))),
    ]);
    const seen = await after.stop();
    printFigures('poison Markdown after kill -9', seen, `tasks in ${tasks.tookMs.toFixed(0)} ms`);
    expect(tasks.result).toContain('feed the hens');
    expect(others.result).toEqual(['water the plants']);
    expect([seen.failures, seen.worstMs < bystanderBoundMs]).toEqual([[], true]);
    expect((await skippedOf(service, attacked.slug)).length).toBe(skipped.length + skipped.length - 1);
  });
});

test('texts of any shape, as fast as a key may push, keep no other team from its tasks', {
  timeout: timeoutMs,
}, async () => {
  service = await startService({ environment: settings });
  const attacked = await newTeam(service);
  const other = await newTeam(service);
  const random = seededRandom(20_261_122);
  const bystander = await startBystander(service, other, { path: '/api/v1/tasks?limit=1' });
  let worstMs = 0;
  for (let round = 0; round < 6; round += 1) {
    const texts = Array.from({ length: 10 }, (_, index) =>
      external(`${round}/${index}-tasks.md`, markdownOf(anyMarkdownShape(random), 250_000)),
    );
    await attacked.external.push(...texts);
    const line = `- [ ] round ${round}\n`;
    await other.team.push(item('todo.md', line));
    const { result, tookMs } = await timed(() => titlesOf(other));
    expect(result).toEqual([`round ${round}`]);
    worstMs = Math.max(worstMs, tookMs);
  }
  await titlesOf(attacked);
  const report = await bystander.stop();
  printFigures(
    'sixty texts of any shape',
    report,
    `the other team's tasks in at most ${worstMs.toFixed(0)} ms`,
  );
  expect(report.failures).toEqual([]);
  expect(Math.max(report.worstMs, worstMs)).toBeLessThan(bystanderBoundMs);
});

test('a log of 1 MiB of task lines that is edited again and again holds up nobody', {
  timeout: timeoutMs,
}, async () => {
  service = await startService({ environment: settings });
  const attacked = await newTeam(service);
  const other = await newTeam(service);
  const bystander = await startBystander(service, other);
  const log = (edit: number) =>
    Array.from({ length: 8_000 }, (_, line) => {
      const words = Array.from({ length: 16 }, (_, at) =>
        ((line * 7_919 + at * 104_729) % 99_991).toString(36),
      );
      return `- [ ] ${words.join(' ')} ${edit}${'x'.repeat(44)}\n`;
    }).join('');
  let worstMs = 0;
  for (let edit = 0; edit < 4; edit += 1) {
    const pushed = await attacked.external.push(external('tasks.md', log(edit)));
    expect(pushed.body).toMatchObject({ accepted: 1 });
    const { result, tookMs } = await timed(() => titlesOf(attacked));
    expect(result).toHaveLength(200);
    worstMs = Math.max(worstMs, tookMs);
  }
  const report = await bystander.stop();
  printFigures('1 MiB of tasks, edited', report, `own tasks in at most ${worstMs.toFixed(0)} ms`);
  expect([report.failures, report.worstMs < bystanderBoundMs]).toEqual([[], true]);
});
