import type { FoundPassages, Passage, SearchOptions } from '@teammemory/client/search.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext, CommandHost, CommandResult } from '../cli-context.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { readQuestion } from '../input.ts';
import { oneLine } from '../output.ts';

type SearchFlags = Pick<SearchOptions, 'limit' | 'prefix' | 'kind' | 'since'>;

/** Adds `tms search`. Prints `{ passages, incomplete }` as the API gives them, best first. */
export function addSearch(program: Command, { context, finish }: CommandHost): void {
  program
    .command('search')
    .description('find the passages that fit a question, without writing an answer')
    .argument(
      '[question...]',
      'the rest of the line, 1 to 4,000 characters; - or nothing: from standard input',
    )
    .option('--limit <number>', 'number of passages, at most 50; default: 10', limitFrom)
    .option('--prefix <path>', 'only what is below this path, such as projects/p1/')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(['item', 'decision', 'project']))
    .option('--since <day>', 'only what is about this day, YYYY-MM-DD, or a later one')
    .action(async (words: string[], _: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & SearchFlags>();
      const question = await readQuestion(words, context, 'tms search deploy on Tuesday');
      finish(await search(question, options, context));
    });
}

async function search(
  question: string,
  options: GlobalOptions & SearchFlags,
  context: CliContext,
): Promise<CommandResult> {
  const { client } = await openClient(options, context);
  const { limit, prefix, kind, since } = options;
  const found = await client.search(question, {
    signal: context.signal,
    ...(limit === undefined ? {} : { limit }),
    prefix,
    kind,
    since,
  });
  return { json: { passages: found.passages, incomplete: found.incomplete }, text: listOf(found) };
}

function listOf({ passages, incomplete }: FoundPassages): string {
  const parts = passages.length === 0 ? ['Nothing was found.'] : passages.map(passageText);
  if (incomplete) parts.push('Not all of what you may see could be searched.');
  return parts.join('\n\n');
}

/** Returns one line about what the passage is of, and its text below it, further in. */
function passageText(passage: Passage, index: number): string {
  const { row_key, title, headings, text, kind, date, status, tier } = passage;
  const path = headings[0] === title ? headings : [title, ...headings];
  const place = path.filter((part) => part !== '').join(' > ');
  const since = passage.to_be_checked_since;
  const toCheck = since === undefined ? '' : `to be checked since ${since}`;
  const known = [kind, date, status, tier, toCheck].filter((each) => each !== null && each !== '');
  const head = `[${index + 1}] ${place === '' ? row_key : `${place}, ${row_key}`} (${known.join(', ')})`;
  // A blank line stays empty.
  return [oneLine(head), text.trimEnd().replace(/^(?=.)/gm, '    ')].join('\n');
}

function limitFrom(text: string): number {
  const limit = Number(text);
  if (/^\d{1,9}$/.test(text) && limit > 0) return limit;
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
