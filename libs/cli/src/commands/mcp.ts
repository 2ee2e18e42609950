import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { mcpClientName } from '@teammemory/vocabulary/client-name.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { usageError } from '../cli-error.ts';
import { clientFor, workspaceOrigin } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { addClientCommands } from './mcp-clients.ts';

/** An agent does something else rather than wait for a limit per minute, so only short waits are spent in silence. */
const longestSilentWaitMs = 1_000;

/** Adds `tms mcp`, which serves agents on standard input and output, and the commands that tell programs to start it. */
export function addMcp(program: Command, host: CommandHost): void {
  const { context, finish } = host;
  const mcp = program
    .command('mcp')
    .description('serve agents the memory of the team, as MCP on standard input and output')
    .option('--dir <folder>', 'folder made by tms init, or below one; default: the working directory')
    .action(async (options: { dir?: string }, command: Command) => {
      finish(await serve(options.dir, command.optsWithGlobals<GlobalOptions>(), context));
    });
  addClientCommands(mcp, host);
}

async function serve(
  dir: string | undefined,
  flags: GlobalOptions,
  context: CliContext,
): Promise<CommandResult> {
  const { stdout } = context;
  // Standard output is for the protocol: what is printed about this command, even with --json, goes to standard error.
  context.stdout = context.stderr;
  const folder = resolve(context.cwd, dir ?? '.');
  const there = await stat(folder).catch(() => undefined);
  if (!there?.isDirectory()) throw usageError(`There is no folder ${folder}.`);
  const { loadSettings } = await import('../settings.ts');
  const settings = await loadSettings(flags, context, await workspaceOrigin(folder), { forAgents: true });
  let agent = mcpClientName(undefined);
  const client = await clientFor(settings, context, {
    client: () => agent,
    maxRetryWaitMs: longestSilentWaitMs,
    retries: 1,
  });
  if (context.stdin.isTTY && !flags.quiet) {
    context.stderr.write(
      'tms: this serves MCP, which programs speak; tms mcp install <client> tells one to start it. Ctrl-D ends it.\n',
    );
  }
  const { serveOnStdio } = await import('../mcp/serve-stdio.ts');
  const onName = (name: unknown) => {
    agent = mcpClientName(name);
  };
  await serveOnStdio(client, settings.team, { ...context, stdout, onName });
  return { json: { team: settings.team } };
}
