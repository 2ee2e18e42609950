import type { ClosestNote, Source } from '@teammemory/client/ask.ts';
import type { Command } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { readQuestion } from '../input.ts';
import { oneLine, writeOutput } from '../output.ts';
import { createPaint, printable } from '../terminal.ts';
import { withMarkedQuotes } from './marked-quotes.ts';

/** Text of an answer that comes at once is held for so long, so that its quotes can be marked. */
const heldMs = 150;

/** Adds `tms ask`. Prints `{ answer, sources }`, or without `--json` the answer as it arrives, then its sources. */
export function addAsk(program: Command, { context, finish }: CommandHost): void {
  program
    .command('ask')
    .description('ask a question about what the team knows')
    .argument(
      '[question...]',
      'the rest of the line, 1 to 4,000 characters; - or nothing: from standard input',
    )
    .action(async (words: string[], _: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const question = await readQuestion(words, context, 'tms ask When do we deploy?');
      finish(await ask(question, options, context));
    });
}

async function ask(question: string, options: GlobalOptions, context: CliContext): Promise<CommandResult> {
  const { client, settings } = await openClient(options, context);
  const show = async (text: string) => {
    if (!options.json && text !== '') await writeOutput(context.stdout, printable(text));
  };
  const paint = createPaint(context.env, context.stdout);
  let answer = '';
  let sources: Source[] = [];
  let closest: ClosestNote[] = [];
  let held = '';
  let heldUntilMs: number | undefined;
  try {
    for await (const event of client.ask(question, { signal: context.signal })) {
      if (event.type === 'sources') {
        ({ sources, closest = [] } = event);
        continue;
      }
      answer += event.text;
      held += event.text;
      heldUntilMs ??= performance.now() + heldMs;
      if (performance.now() < heldUntilMs) continue;
      await show(held);
      held = '';
    }
  } catch (thrown) {
    await show(held).catch(() => undefined);
    // The line ends, so that the error begins its own. If that cannot be written either, the first error counts.
    if (answer !== '' && !answer.endsWith('\n')) await show('\n').catch(() => undefined);
    throw thrown;
  }
  const quotes = sources.flatMap(({ quote = '' }) => (quote === '' ? [] : [quote]));
  if (!options.json && held !== '')
    await writeOutput(
      context.stdout,
      withMarkedQuotes(printable(held), quotes, (words) => paint('bold', words).value),
    );
  if (answer !== '' && !answer.endsWith('\n')) await show('\n');
  await show(sourceList(sources, settings.url));
  return { json: { answer, sources, ...(closest.length > 0 && { closest }) } };
}

/** Lists the sources with the numbers that the answer uses, and the address of each item. */
function sourceList(sources: readonly Source[], url: string): string {
  if (sources.length === 0) return '';
  const lines = sources.flatMap(({ row_key, title, tier, kind, date, status, ...source }, index) => {
    const name = title === '' ? row_key : `${title}, ${row_key}`;
    const since = source.to_be_checked_since;
    const toCheck = since === undefined ? '' : `to be checked since ${since}`;
    const known = [kind, date, status, tier, toCheck].filter((each) => each !== undefined && each !== '');
    const first = oneLine(`[${index + 1}] ${name} (${known.join(', ')})`);
    return kind === undefined || kind === 'item' ? [first, `    ${addressOf(url, row_key)}`] : [first];
  });
  return `\nSources:\n${lines.join('\n')}\n`;
}

/** Returns where an item can be read with a key. Safe for a terminal. */
function addressOf(url: string, rowKey: string): string {
  return `${url.replace(/\/+$/, '')}/api/v1/items/${encodeURIComponent(rowKey.toWellFormed())}`;
}
