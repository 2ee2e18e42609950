import { ProblemError } from '@teammemory/client/problem-error.ts';
import type { ListProposalsOptions, Proposal, WholeProposal } from '@teammemory/client/proposals.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { checksumOf } from '@teammemory/sync/format/checksum.ts';
import { contentFromText, type FileContent, textToReview } from '@teammemory/sync/format/file-text.ts';
import { fileFromItem } from '@teammemory/sync/format/item-file.ts';
import { checksumPattern } from '@teammemory/vocabulary/formats.ts';
import { visibleText } from '@teammemory/vocabulary/visible-text.ts';
import { type Command, Option } from 'commander';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { editInEditor, hasEditor } from '../body-input.ts';
import type { CliContext, CommandHost } from '../cli-context.ts';
import { CliError, usageError } from '../cli-error.ts';
import { openClient } from '../clients.ts';
import type { GlobalOptions } from '../global-options.ts';
import { columns, oneLine } from '../output.ts';
import { lines, paintPatch } from '../terminal.ts';

const rowsPerPage = 200;
/** Two large texts with nothing in common would take minutes. */
const diffTimeoutMs = 5_000;
const states = ['waiting', 'accepted', 'declined'] as const;
const idHelp = 'id of the proposal, or the first characters of it if no other that waits begins so';
/** These have the whole time at which it was made, so what replaced the proposal that was shown begins otherwise. */
const minAcceptedCharacters = 13;
const acceptedIdHelp = `id of the proposal, or its first ${minAcceptedCharacters} characters or more`;

/** Adds `tms review`: what keys of access propose pushed, and what becomes of it. */
export function addReview(program: Command, host: CommandHost): void {
  const group = program.command('review').description('accept or decline what agents proposed');
  addList(group, host);
  addShow(group, host);
  addAccept(group, host);
  addDecline(group, host);
  addWithdraw(group, host);
}

/** Prints `{ proposals: [...] }`, the one that changed last first. */
function addList(group: Command, { context, finish }: CommandHost): void {
  group
    .command('list', { isDefault: true })
    .description('list the proposals that wait, or those of another state')
    .addOption(new Option('--state <state>', 'which proposals').choices(states).default('waiting'))
    .action(async ({ state }: Pick<ListProposalsOptions, 'state'>, command: Command) => {
      const client = await clientOf(command, context);
      const proposals: Proposal[] = [];
      const list = { state, limit: rowsPerPage, signal: context.signal };
      for await (const proposal of client.proposals(list)) proposals.push(proposal);
      const text = columns(proposals.map(cellsOf)).join('\n') || `No proposal is ${state}.`;
      finish({ json: { proposals }, text });
    });
}

/** Prints the proposal, with `patch`: its difference from the stored item; null if they differ too much or it is decided. */
function addShow(group: Command, { context, paint, finish }: CommandHost): void {
  group
    .command('show')
    .description('show a proposal as its difference from what is stored now')
    .argument('<proposal_id>', idHelp)
    .action(async (given: string, _: object, command: Command) => {
      const client = await clientOf(command, context);
      const proposal = await client.getProposal(await wholeId(client, given, context), context);
      const patch = await patchOf(client, proposal, context);
      const difference =
        patch !== null
          ? paintPatch(patch, paint)
          : proposal.item !== null
            ? [paint('yellow', 'The texts differ too much to compare line by line.')]
            : [];
      finish({ json: { ...proposal, patch }, text: lines([...factsOf(proposal), '', ...difference]) });
    });
}

interface AcceptFlags {
  edit?: true;
  base?: string;
}

/** Prints the proposal as decided. */
function addAccept(group: Command, { context, finish }: CommandHost): void {
  group
    .command('accept')
    .description('store what was proposed as if you had pushed it')
    .argument('<proposal_id>', acceptedIdHelp)
    .option('--edit', 'change it in $VISUAL or $EDITOR first')
    .option(
      '--base <checksum>',
      'checksum of the item that must be stored now, or none; default: what the proposal was made from',
    )
    .action(async (given: string, { edit, base }: AcceptFlags, command: Command) => {
      const baseChecksum = baseFrom(base);
      if (edit && !hasEditor(context)) throw usageError('Set EDITOR to edit the text.');
      if (given.length < minAcceptedCharacters) {
        throw usageError(
          `Give at least the first ${minAcceptedCharacters} characters of the id: by now another text may begin so.`,
        );
      }
      const { signal } = context;
      const client = await clientOf(command, context);
      const proposalId = await wholeId(client, given, context);
      const options = { baseChecksum, signal };
      const accepted = edit
        ? await acceptEdited(client, proposalId, options, context)
        : await client.acceptProposal(proposalId, options);
      finish({ json: accepted, text: `${accepted.row_key} is stored.` });
    });
}

/** Prints the proposal as decided. */
function addDecline(group: Command, { context, finish }: CommandHost): void {
  group
    .command('decline')
    .description('decline a proposal; who proposed it learns the reason')
    .argument('<proposal_id>', idHelp)
    .requiredOption('--reason <text>', 'why, 1 to 1,000 characters')
    .action(async (given: string, { reason }: { reason: string }, command: Command) => {
      const client = await clientOf(command, context);
      const proposalId = await wholeId(client, given, context);
      const declined = await client.declineProposal(proposalId, reason, context);
      finish({ json: declined, text: `The proposal for ${declined.row_key} is declined.` });
    });
}

/** Prints `{ proposal_id, withdrawn: true }`. */
function addWithdraw(group: Command, { context, finish }: CommandHost): void {
  group
    .command('withdraw')
    .description('take back a proposal of your own that still waits')
    .argument('<proposal_id>', idHelp)
    .action(async (given: string, _: object, command: Command) => {
      const client = await clientOf(command, context);
      const proposalId = await wholeId(client, given, context);
      await client.withdrawProposal(proposalId, context);
      finish({
        json: { proposal_id: proposalId, withdrawn: true },
        text: `Proposal ${proposalId} is withdrawn.`,
      });
    });
}

async function clientOf(command: Command, context: CliContext): Promise<TeamMemoryClient> {
  return (await openClient(command.optsWithGlobals<GlobalOptions>(), context)).client;
}

/** Returns the id of the waiting proposal that begins so. */
async function wholeId(client: TeamMemoryClient, given: string, { signal }: CliContext): Promise<string> {
  const start = given.toLowerCase();
  if (!/^[0-9a-f-]{1,35}$/.test(start)) return given;
  const found: string[] = [];
  for await (const { proposal_id } of client.proposals({ state: 'waiting', limit: rowsPerPage, signal })) {
    if (proposal_id.startsWith(start)) found.push(proposal_id);
  }
  const [only, another] = found;
  if (only === undefined) throw new CliError('not_found', `No proposal that waits begins with ${given}.`);
  if (another === undefined) return only;
  const text = `More than one proposal begins with ${given}: ${only}, ${another}. Give more characters.`;
  throw new CliError('ambiguous_id', text);
}

/** Lets the user change the text, front matter included, and accepts that. */
async function acceptEdited(
  client: TeamMemoryClient,
  proposalId: string,
  options: { baseChecksum: string | null | undefined; signal: AbortSignal },
  context: CliContext,
): Promise<Proposal> {
  const { item } = await client.getProposal(proposalId, options);
  if (item === null) throw new CliError('conflict', 'The proposal is decided already.');
  const { row_key, tier } = item;
  const accepted = await editInEditor(reviewedText(item), context, (edited) => {
    const content = contentFromText(edited);
    const checksum = checksumOf(Buffer.from(edited));
    return client.acceptProposal(proposalId, { ...options, item: { row_key, tier, checksum, ...content } });
  });
  if (accepted === undefined) {
    throw new CliError('cancelled', 'Nothing was changed, and nothing accepted. Accept it without --edit.');
  }
  return accepted;
}

function baseFrom(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (checksumPattern.test(text)) return text;
  throw usageError('--base takes a checksum, such as the one that tms review show prints, or none.');
}

async function patchOf(
  client: TeamMemoryClient,
  { item, row_key }: WholeProposal,
  { signal }: CliContext,
): Promise<string | null> {
  if (item === null) return null;
  const stored = await client.getItem(row_key, { signal }).catch((thrown) => {
    if (thrown instanceof ProblemError && thrown.code === 'not_found') return undefined;
    throw thrown;
  });
  const patch = createTwoFilesPatch(
    stored === undefined ? '/dev/null' : row_key,
    row_key,
    stored === undefined ? '' : visibleText(reviewedText(stored)),
    visibleText(reviewedText(item)),
    'stored',
    'proposed',
    { context: 3, timeout: diffTimeoutMs, headerOptions: FILE_HEADERS_ONLY },
  );
  return patch ?? null;
}

function reviewedText(item: FileContent & { checksum: string }): string {
  return textToReview(fileFromItem(item).toString(), item);
}

function cellsOf(proposal: Proposal): string[] {
  const { proposal_id, row_key, tier, proposed_at } = proposal;
  return [proposal_id, row_key, tier, proposed_at, proposerOf(proposal), outcomeOf(proposal)];
}

function proposerOf({ proposed_by, by_guest }: Proposal): string {
  return by_guest ? `${proposed_by} (guest)` : proposed_by;
}

function outcomeOf({ state, decided_by, edited, reason }: Proposal): string {
  const how = edited ? `${state} with changes` : state;
  return [how, ...(decided_by ? [`by ${decided_by}`] : []), ...(reason ? [`because: ${reason}`] : [])].join(
    ' ',
  );
}

function factsOf(proposal: WholeProposal): string[] {
  const { proposal_id, row_key, tier, proposed_at, current_checksum } = proposal;
  return [
    ['id', proposal_id],
    ['item', row_key],
    ['tier', tier],
    ['proposed', `${proposed_at} by ${proposerOf(proposal)}`],
    ['state', outcomeOf(proposal)],
    ['stored', current_checksum ?? 'none'],
  ].map(([name = '', value = '']) => oneLine(`${name.padEnd(9)} ${value}`));
}
