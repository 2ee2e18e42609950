import type { Source } from '@teammemory/client/ask.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { printable } from '../terminal.ts';

/** Adds `tms ask`. Prints `{ answer, sources }`, or without `--json` the answer as it arrives, then its sources. */
export function addAsk(program: Command, { context, finish }: CommandHost): void {
  program
    .command('ask')
    .description('ask a question about what the team knows')
    .argument('<question>', '1 to 4,000 characters')
    .action(async (question: string, _: object, command: Command) => {
      finish(await ask(question, command.optsWithGlobals<GlobalOptions>(), context));
    });
}

async function ask(question: string, options: GlobalOptions, context: CliContext): Promise<CommandResult> {
  const { client } = await openClient(options, context);
  const show = (text: string) => {
    if (!options.json) context.stdout.write(printable(text));
  };
  let answer = '';
  let sources: Source[] = [];
  try {
    for await (const event of client.ask(question, { signal: context.signal })) {
      if (event.type === 'sources') {
        sources = event.sources;
        continue;
      }
      answer += event.text;
      show(event.text);
    }
  } finally {
    if (answer !== '' && !answer.endsWith('\n')) show('\n');
  }
  show(sourceList(sources));
  return { json: { answer, sources } };
}

/** Lists the sources with the numbers that the answer uses. */
function sourceList(sources: readonly Source[]): string {
  if (sources.length === 0) return '';
  const lines = sources.map(({ row_key, title, tier, kind, date, status }, index) => {
    const name = title === '' ? row_key : `${title}, ${row_key}`;
    const known = [kind, date, status, tier].filter((each) => each !== undefined && each !== '');
    return `[${index + 1}] ${name} (${known.join(', ')})`.replaceAll('\n', ' ');
  });
  return `\nSources:\n${lines.join('\n')}\n`;
}
