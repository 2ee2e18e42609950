import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { workspaceOrigin } from '../clients.ts';
import { readConfig } from '../config-file.ts';
import type { GlobalOptions } from '../global-options.ts';
import { findTarget, knowsUrl } from '../settings.ts';

/** A service that takes longer to say whether it has a first page is opened there. */
const lookTimeoutMs = 3_000;

interface OpenOptions extends GlobalOptions {
  print?: boolean;
}

/** Adds `tms open`. Prints `{ address, opened }`. */
export function addOpen(program: Command, { context, finish }: CommandHost): void {
  program
    .command('open')
    .description("open the service's first page in the browser, or the page about its API if it has none")
    .option('--print', 'only print the address')
    .action(async (_: object, command: Command) => {
      finish(await open(command.optsWithGlobals<OpenOptions>(), context));
    });
}

async function open(options: OpenOptions, context: CliContext): Promise<CommandResult> {
  const address = await firstPage(await serviceAddress(options, context), context);
  if (!options.print) await openInBrowser(address, context);
  return {
    json: { address, opened: !options.print },
    text: options.quiet && !options.print ? undefined : address,
  };
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

/** Starts the browser with the address as its one argument. No shell reads it. */
async function openInBrowser(address: string, { env }: CliContext): Promise<void> {
  const [program, ...args] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ['xdg-open']);
  const child = spawn(program ?? 'xdg-open', [...args, address], {
    stdio: 'ignore',
    detached: true,
    shell: false,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', () => {
      const text = `No browser could be started with ${program}. Set BROWSER to a program, or open ${address} yourself.`;
      reject(new CliError('no_browser', text));
    });
  });
  child.unref();
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  // Not `start`, which is a command of the shell.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
