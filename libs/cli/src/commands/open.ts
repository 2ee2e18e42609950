import type { SignInLink } from '@teammemory/client/whoami.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { clientFor, workspaceOrigin } from '../clients.ts';
import { readConfig } from '../config-file.ts';
import type { GlobalOptions } from '../global-options.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { findKey, findTarget, knowsUrl, loadSettings, type Settings } from '../settings.ts';
import { line, lines } from '../terminal.ts';

/** A service that takes longer to say whether it has a first page is opened there. */
const lookTimeoutMs = 3_000;

interface OpenOptions extends GlobalOptions {
  print?: boolean;
}

/** What a browser is sent to. */
interface Page {
  address: string;
  /** RFC 3339, of a link that signs in; null for the plain page, where the user signs in. */
  expiresAt: string | null;
}

/** Adds `tms open`. Prints `{ address, opened, expires_at }`. */
export function addOpen(program: Command, { context, finish }: CommandHost): void {
  program
    .command('open')
    .description('open the dashboard in the browser, signed in with your key')
    .option('--print', 'print the link instead; it works once, within two minutes')
    .action(async (_: object, command: Command) => {
      finish(await open(command.optsWithGlobals<OpenOptions>(), context));
    });
}

async function open(options: OpenOptions, context: CliContext): Promise<CommandResult> {
  const page = (await signedInPage(options, context)) ?? (await plainPage(options, context));
  const { address, expiresAt } = page;
  const json = { address, opened: false, expires_at: expiresAt };
  if (options.print) return { json, text: address };
  const failed = await openInBrowser(address, context);
  if (failed === undefined) {
    const text = options.quiet ? undefined : line`${origin(address)} is open in your browser.`;
    return { json: { ...json, opened: true }, text };
  }
  const advice = expiresAt === null ? 'Open this page yourself:' : 'Open this link within two minutes:';
  return {
    json,
    text: lines([line`No browser could be started with ${failed}. ${advice}`, line`${address}`]),
  };
}

/** Makes a link that signs in; undefined without a key for the service, and if the service is too old for links. */
async function signedInPage(options: OpenOptions, context: CliContext): Promise<Page | undefined> {
  const workspace = await workspaceOrigin(context.cwd);
  const config = await readConfig(context);
  const { url, team } = findTarget(options, context, config, workspace);
  const key = team && findKey(options, context, config, { url: url.value, team: team.value });
  if (key === undefined) return undefined;
  const settings = await loadSettings(options, context, workspace);
  const link = await createLink(settings, context);
  return link && { address: `${settings.url}/sign-in#${link.sign_in_token}`, expiresAt: link.expires_at };
}

async function createLink(settings: Settings, context: CliContext): Promise<SignInLink | undefined> {
  const client = await clientFor(settings, context);
  const { ProblemError } = await import('@teammemory/client/problem-error.ts');
  try {
    return await client.createSignInLink({ signal: context.signal });
  } catch (thrown) {
    if (thrown instanceof ProblemError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

/** The first page of the service, or the page about its API if it has none. */
async function plainPage(options: OpenOptions, context: CliContext): Promise<Page> {
  return { address: await firstPage(await serviceAddress(options, context), context), expiresAt: null };
}

/** A folder may come from somebody else: an address that only it names is not opened. */
async function serviceAddress(options: OpenOptions, context: CliContext): Promise<string> {
  const config = await readConfig(context);
  const folder = await workspaceOrigin(context.cwd);
  const { url } = findTarget(options, context, config, folder);
  if (folder === undefined || !url.from.startsWith('the folder ') || knowsUrl(config, url.value))
    return url.value;
  throw usageError(
    `The folder ${folder.root} names the address ${url.value}, which you have never used. If you trust it, name it in --url.`,
  );
}

async function firstPage(url: string, { signal }: CliContext): Promise<string> {
  const base = `${url.replace(/\/+$/, '')}/`;
  if (!/^https?:\/\//.test(base)) throw usageError('The address of the service is not one of http or https.');
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(lookTimeoutMs)]);
    const answer = await fetch(base, { redirect: 'manual', signal: limit });
    await answer.body?.cancel();
    return answer.status === 404 ? `${base}docs` : base;
  } catch {
    if (signal.aborted) throw new CliError('cancelled', 'Cancelled.');
    return base; // the browser says what is wrong
  }
}

/** The address without its page, and so without the token of a link. */
const origin = (address: string) => new URL(address).origin;
