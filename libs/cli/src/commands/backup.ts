import { randomUUID } from 'node:crypto';
import type { AdminClient } from '@teammemory/client/rpc/admin-client.ts';
import { type BackedUpService, type BackupPage, backedUpServices } from '@teammemory/client/rpc/backup.ts';
import { buildVersion } from '@teammemory/config/product-version.ts';
import { namingFile } from '@teammemory/sync/state/file-system.ts';
import { parseBoundedJson } from '@teammemory/vocabulary/bounded-json.ts';
import type { Command } from 'commander';
import { z } from 'zod';
import { type ArchiveSummary, readArchive, writeArchive } from '../backup/archive.ts';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { withAdminClient } from '../clients.ts';
import { askLine, canAsk } from '../input.ts';

/** Keys that are named; more of them are counted. */
const maxListedKeys = 20;
/** A service takes a restore that says nothing for 15 seconds for an interrupted one. */
const keepAliveMs = 4_000;
/** Between two lines of progress on a terminal. */
const progressMs = 200;

/** Sections with credentials, whose rows have the field `revoked_at`. */
const credentialSections: readonly string[] = ['auth/keys', 'auth/service_credentials', 'auth/operators'];

/** Options of `tms restore` for a backup. */
export interface RestoreOptions {
  check?: boolean;
  keepKeys?: boolean;
  revokeKeys?: boolean;
  quiet?: boolean;
}

/** Adds `tms backup`. Prints `{ file, created_at, product, rows, bytes }`. */
export function addBackup(program: Command, { context, finish }: CommandHost): void {
  program
    .command('backup')
    .description('write everything that the service stores into one file, while it runs')
    .argument('<file>', 'the file; it must not exist yet')
    .option('--verify', 'read the file back afterwards')
    .action(async (file: string, options: { verify?: boolean }, command: Command) => {
      const { quiet = false } = command.optsWithGlobals<{ quiet?: boolean }>();
      const progress = progressOn(context, quiet);
      const header = {
        created_at: context.now().toISOString(),
        product: buildVersion,
        services: backedUpServices,
      };
      const written = await withAdminClient(context, (admin) =>
        namingFile(file, () => writeArchive(file, header, progress.watch(allPages(admin, context.signal)))),
      );
      if (options.verify) await verify(file);
      progress.end();
      finish({
        json: { file, ...written },
        ...(quiet ? {} : { text: summaryText(`Wrote ${file}`, written) }),
      });
    });
}

async function* allPages(admin: AdminClient, signal: AbortSignal): AsyncGenerator<BackupPage> {
  for (const service of backedUpServices) {
    for await (const { section, lines } of admin.backup[service].read(signal))
      yield { section: `${service}/${section}`, lines };
  }
}

/** Reads an archive to its end. @throws CliError as `readArchive`. */
async function verify(
  file: string,
  look: (section: string, lines: string) => void = () => undefined,
): Promise<ArchiveSummary> {
  let summary: ArchiveSummary | undefined;
  for await (const { section, lines } of readArchive(file, (told) => {
    summary = told;
  }))
    look(section, lines);
  return summary as ArchiveSummary;
}

/**
 * Restores a backup into an empty service; with `check` it only reads the file. Prints `{ file, …, active_keys, revoked }`.
 * @throws CliError for a file that is damaged or of a newer program, before anything is written.
 */
export async function restoreBackup(
  file: string,
  options: RestoreOptions,
  context: CliContext,
): Promise<CommandResult> {
  if (options.keepKeys && options.revokeKeys)
    throw usageError('Choose one of --keep-keys and --revoke-keys.');
  const keys: ActiveKey[] = [];
  const credentials: { name: string }[] = [];
  const operators: { name: string }[] = [];
  const now = context.now().getTime();
  const summary = await verify(file, (section, lines) => {
    if (section === 'auth/keys') {
      keys.push(...activeRows(file, lines, now, ['key_id', 'team_slug', 'member_handle']));
    }
    if (section === 'auth/service_credentials') credentials.push(...activeRows(file, lines, now, ['name']));
    if (section === 'auth/operators') operators.push(...activeRows(file, lines, now, ['name']));
    if (keys.length + credentials.length + operators.length > maxActive) {
      throw new CliError('damaged', `${file} is no backup of a service: it has more than ${maxActive} keys.`);
    }
  });
  const active_keys = keys.map(({ key_id }) => key_id);
  const json = {
    file,
    ...summary,
    active_keys,
    active_service_credentials: namesOf(credentials),
    active_operators: namesOf(operators),
  };
  if (options.check) return { json, text: summaryText(`${file} is whole`, summary) };
  const revokes = await revokesKeys(options, keys, summary, context);
  const progress = progressOn(context, options.quiet === true);
  await withAdminClient(context, async (admin) => {
    const { signal } = context;
    const services = servicesOf(summary);
    for (const service of services) await admin.backup[service].check({ signal });
    const restoreId = randomUUID();
    for (const service of services) await admin.backup[service].begin(restoreId, { signal });
    const keepAlive = setInterval(() => {
      for (const section of firstSections(summary)) {
        const [service, name] = sectionOf(section);
        const page = { section: name, lines: new Uint8Array() };
        // Its failure is told by the calls that matter.
        admin.backup[service].restore(restoreId, page, { signal }).catch(() => undefined);
      }
    }, keepAliveMs);
    try {
      for await (const { section, lines } of progress.watch(readArchive(file, () => undefined))) {
        const [service, name] = sectionOf(section);
        const text =
          revokes && credentialSections.includes(section) ? withoutValidity(file, lines, now) : lines;
        const page = { section: name, lines: Buffer.from(text) };
        await admin.backup[service].restore(restoreId, page, { signal });
      }
      for (const service of services) await admin.backup[service].end(restoreId, { signal });
    } finally {
      clearInterval(keepAlive);
    }
  });
  progress.end();
  const text = `${summaryText(`Restored ${file}`, summary)}\n${keyText({ keys, credentials: namesOf(credentials), operators: namesOf(operators) }, revokes)}\nNow start the service again: until then it is not ready.`;
  return { json: { ...json, revoked: revokes }, ...(options.quiet ? {} : { text }) };
}

interface ActiveKey {
  key_id: string;
  team_slug: string;
  member_handle: string;
}

/** Rows of credentials have some hundred characters. */
const credentialBounds = { maxCharacters: 2 ** 16, maxValues: 1_000 };
const maxNameCharacters = 1_024;
/** More than any service has: all of them are held in memory and told. */
const maxActive = 200_000;

const validity = z.number().nullish();
const credentialRow = z.looseObject({ revoked_at: validity, expires_at: validity });
type CredentialRow = z.infer<typeof credentialRow>;

/** Returns some fields of the credentials that were valid, of rows of one section. */
function activeRows<Name extends string>(
  file: string,
  lines: string,
  now: number,
  names: readonly Name[],
): Record<Name, string>[] {
  const active = rowsOf(file, lines).filter(
    ({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || (expires_at ?? 0) > now),
  );
  return active.map((row) => {
    const fields = names.map((name) => [name, row[name]] as const);
    if (fields.every(([, value]) => typeof value === 'string' && value.length <= maxNameCharacters)) {
      return Object.fromEntries(fields) as Record<Name, string>;
    }
    throw damagedCredential(file);
  });
}

function rowsOf(file: string, lines: string): CredentialRow[] {
  try {
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => credentialRow.parse(parseBoundedJson(line, credentialBounds)));
  } catch {
    throw damagedCredential(file);
  }
}

function damagedCredential(file: string): CliError {
  return new CliError('damaged', `${file} is no whole backup: a row of a credential cannot be read.`);
}

function namesOf(credentials: readonly { name: string }[]): string[] {
  return credentials.map(({ name }) => name);
}

/** The same credentials, revoked. */
function withoutValidity(file: string, lines: string, now: number): string {
  return rowsOf(file, lines)
    .map((row) => `${JSON.stringify({ ...row, revoked_at: row.revoked_at ?? now })}\n`)
    .join('');
}

async function revokesKeys(
  { keepKeys, revokeKeys }: RestoreOptions,
  keys: readonly ActiveKey[],
  { created_at }: ArchiveSummary,
  context: CliContext,
): Promise<boolean> {
  if (keepKeys || revokeKeys) return revokeKeys === true;
  const what = `${keys.length} keys were valid at ${created_at}; those revoked since then would be valid again.`;
  if (!canAsk(context)) {
    throw usageError(`${what} Say --keep-keys, or --revoke-keys to leave all keys and credentials revoked.`);
  }
  context.stderr.write(`${what}\n${keyLines(keys)}\n`);
  const answer = await askLine(context, 'Leave all of them revoked? yes or no', 'no');
  return /^y(es)?$/i.test(answer);
}

function keyLines(keys: readonly ActiveKey[]): string {
  const lines = keys
    .slice(0, maxListedKeys)
    .map(({ key_id, team_slug, member_handle }) => `  ${key_id}  ${team_slug}  ${member_handle}`);
  if (keys.length > maxListedKeys) lines.push(`  and ${keys.length - maxListedKeys} more`);
  return lines.join('\n');
}

function keyText(
  active: { keys: readonly ActiveKey[]; credentials: readonly string[]; operators: readonly string[] },
  revoked: boolean,
): string {
  if (revoked)
    return 'All keys, service credentials and operators are revoked: make new ones with tms admin key create.';
  const { keys, credentials, operators } = active;
  const services =
    credentials.length === 0 ? '' : `\nSo are the credentials of these services: ${credentials.join(', ')}`;
  const administrators = operators.length === 0 ? '' : `\nSo are these operators: ${operators.join(', ')}`;
  return `These keys are valid, also those that were revoked after the backup; tms admin key revoke ends one:\n${keyLines(keys)}${services}${administrators}`;
}

function servicesOf({ services }: ArchiveSummary): BackedUpService[] {
  return services.map((service) => {
    const known = backedUpServices.find((each) => each === service);
    if (known === undefined)
      throw new CliError('newer', `This version has no service ${JSON.stringify(service)}.`);
    return known;
  });
}

/** Returns a section of each service. */
function firstSections({ rows }: ArchiveSummary): string[] {
  return [...new Map(Object.keys(rows).map((section) => [sectionOf(section)[0], section])).values()];
}

function sectionOf(section: string): [BackedUpService, string] {
  const [service = '', name = ''] = section.split('/');
  const known = backedUpServices.find((each) => each === service);
  if (known === undefined) throw new CliError('damaged', `There is no service ${JSON.stringify(service)}.`);
  return [known, name];
}

function summaryText(begin: string, { created_at, product, rows, bytes }: ArchiveSummary): string {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const size = (bytes / 2 ** 20).toFixed(1);
  return `${begin}: ${all} rows of ${created_at}, made by version ${product}, ${size} MB.`;
}

/** Shows on a terminal which section is read or written, and how much so far. */
function progressOn({ stderr, now }: CliContext, quiet: boolean) {
  const isShown = stderr.isTTY === true && !quiet;
  let bytes = 0;
  let shownAt = 0;
  return {
    async *watch<Page extends { section: string; lines: { length: number } }>(
      pages: AsyncIterable<Page>,
    ): AsyncGenerator<Page> {
      for await (const page of pages) {
        bytes += page.lines.length;
        if (isShown && now().getTime() - shownAt > progressMs) {
          shownAt = now().getTime();
          stderr.write(`\r\x1b[K${page.section}, ${(bytes / 2 ** 20).toFixed(0)} MB`);
        }
        yield page;
      }
    },
    end() {
      if (isShown) stderr.write('\r\x1b[K');
    },
  };
}
