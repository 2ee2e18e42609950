import type { AdminClient } from '@teammemory/client/rpc/admin-client.ts';
import type { AuditCheck, AuditPlace, AuditQuery, AuditRecord } from '@teammemory/client/rpc/audit.ts';
import type { Command } from 'commander';
import type { CommandHost } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { withAdminClient } from '../clients.ts';
import { parseSince } from '../expiry.ts';
import type { GlobalOptions } from '../global-options.ts';
import { writeLines } from '../output.ts';

/** Same as `auditedServices` of the client, which is loaded when a command runs. */
const services = ['auth', 'content'] as const;
const defaultSince = '7d';
const expected = /^(auth|content):([1-9]\d{0,15}):([0-9a-f]{64})$/;

/** Adds `tms admin audit list` and `verify`. */
export function addAuditCommands(admin: Command, host: CommandHost): void {
  const group = admin.command('audit').description('who did what: the audit log');
  addList(group, host);
  addVerify(group, host);
}

/** Prints `{ entries: [...] }`, by time; for people an act is one line, not two. */
function addList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list')
    .description('list what was done and refused, oldest first; of one team with --team')
    .option('--since <when>', `how far back: 30m, 12h, 7d or 2027-01-31T00:00:00Z`, defaultSince)
    .option('--actor <actor>', 'who: administrator:ada, member:rivers/ada, service:search or anonymous')
    .action(async (options: { since: string; actor?: string }, command: Command) => {
      const { team, json } = command.optsWithGlobals<GlobalOptions & { json?: boolean }>();
      const since = parseSince('--since', options.since, context.now());
      await withAdminClient(context, async (admin) => {
        const { signal } = context;
        const rows = byTime(admin, { since, actor: options.actor, team }, signal);
        if (json) {
          finish({ json: { entries: await Array.fromAsync(rows) }, text: '' });
          return;
        }
        let count = 0;
        for await (const row of foldedActs(rows)) {
          count += 1;
          await writeLines(context, [lineOf(row)]);
        }
        finish({ json: {}, text: count === 0 ? 'There are no entries.' : '' });
      });
    });
}

/** Merges the entries of both logs by time. */
async function* byTime(
  admin: AdminClient,
  query: AuditQuery,
  signal: AbortSignal,
): AsyncGenerator<AuditRecord> {
  const lists = services.map((service) => rowsOf(admin.audit.list(service, query, { signal })));
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    let first: number | undefined;
    for (const [index, head] of heads.entries()) {
      if (head.done) continue;
      const best = first === undefined ? undefined : heads[first];
      if (best === undefined || best.done || head.value.at < best.value.at) first = index;
    }
    const head = first === undefined ? undefined : heads[first];
    if (first === undefined || head === undefined || head.done) return;
    yield head.value;
    heads[first] = (await lists[first]?.next()) ?? { done: true, value: undefined };
  }
}

async function* rowsOf(pages: AsyncIterable<AuditRecord[]>): AsyncGenerator<AuditRecord, undefined> {
  for await (const page of pages) yield* page;
}

/** Leaves out that an act began where its end is known. Those without an end come last. */
async function* foldedActs(rows: AsyncIterable<AuditRecord>): AsyncGenerator<AuditRecord> {
  const begun = new Map<string, AuditRecord>();
  for await (const row of rows) {
    if (row.outcome === 'begun') {
      begun.set(`${row.service} ${row.sequence}`, row);
      continue;
    }
    begun.delete(`${row.service} ${row.begun}`);
    yield row;
  }
  for (const row of begun.values()) yield { ...row, outcome: 'begun, and its end is missing' };
}

function lineOf(row: AuditRecord): string {
  const { at, actor, action, object, outcome, code, before, after, client_address: address } = row;
  const facts = Object.entries(after).map(([name, value]) => {
    const was = before[name];
    return was === undefined || was === value ? `${name}=${value}` : `${name}=${was}→${value}`;
  });
  const parts = [
    ...[at, actor, action, object, code === null ? outcome : `${outcome} (${code})`],
    ...[facts.join(' '), address === '' ? '' : `from ${address}`],
  ];
  return parts.filter((part) => part !== '').join('  ');
}

/** Prints `{ logs: [{ service, checked, problem }] }`; ends with 1 if one of them is not whole. */
function addVerify(group: Command, { context, finish }: CommandHost): void {
  group
    .command('verify')
    .description('check that no entry of the audit log is missing or was changed')
    .option(
      '--expect <places...>',
      'newest entries of an earlier check, such as auth:1204:5649d0…: shows a log that was written anew',
    )
    .action(async ({ expect = [] }: { expect?: string[] }) => {
      const places = new Map(expect.map(placeFrom));
      const { signal } = context;
      const logs = await withAdminClient(context, async (admin) => {
        const checks: AuditCheck[] = [];
        for (const service of services) {
          const whole = await admin.audit.verify(service, undefined, { signal });
          const place = places.get(service);
          const isDone = place === undefined || whole.problem !== null;
          checks.push(isDone ? whole : await admin.audit.verify(service, place, { signal }));
        }
        return checks;
      });
      const text = logs.map(checkText).join('\n');
      if (logs.some(({ problem }) => problem !== null)) throw new CliError('audit_not_whole', text);
      finish({ json: { logs }, text });
    });
}

function placeFrom(text: string): [string, AuditPlace] {
  const [, service, sequence, hash] = expected.exec(text) ?? [];
  if (service === undefined || hash === undefined)
    throw usageError('--expect takes what an earlier check printed, such as auth:1204:<64 hex digits>.');
  return [service, { sequence: Number(sequence), hash }];
}

function checkText({ service, checked, problem, is_too_old }: AuditCheck): string {
  if (problem !== null) return `The audit log of ${service} is not whole. ${problem}`;
  if (checked === null) return `The audit log of ${service} is empty.`;
  const compared = is_too_old ? ' The expected entry is too old to be compared.' : '';
  return `The audit log of ${service} is whole.${compared} Newest entry: ${service}:${checked.sequence}:${checked.hash}`;
}
