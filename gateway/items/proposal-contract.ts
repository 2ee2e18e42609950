import { storedChecksumPattern } from '@teammemory/vocabulary/formats.ts';
import { z } from 'zod';
import { byGuest, instant, prose, uuid, visibleTo } from '../contract/answer-types.ts';
import { object, text } from '../contract/field-types.ts';
import type { PathParameter } from '../contract/operation.ts';
import { problem } from '../contract/problem.ts';
import { listEnd, listParameters } from '../feed/contract.ts';
import { itemShape } from './contract.ts';

/** What became of a proposal. */
export const proposalStates = ['waiting', 'accepted', 'declined'] as const;

/** Characters of a reason. */
const maxReasonCharacters = 1_000;

const proposalId = uuid(
  'It identifies the proposal and stands for one text: a new version of it is another proposal.',
);

/** The id in the path of a proposal. */
export const proposalSegment: PathParameter = {
  name: 'proposal_id',
  schema: proposalId,
  example: '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d15',
  isSegment: true,
};

const proposal = {
  proposal_id: proposalId,
  row_key: prose('Identity of the item.'),
  title: prose('Title of the item; empty once decided.'),
  tier: visibleTo('Who may see the item once it is accepted.'),
  state: z.enum(proposalStates).meta({ description: 'Once decided, a proposal is kept without its text.' }),
  proposed_by: prose('Handle of the member whose key proposed it.'),
  key_id: prose('Id of that key.'),
  by_guest: byGuest,
  proposed_at: instant('When it was proposed.'),
  decided_by: prose('Handle of the reviewer; null while it waits.').nullable(),
  decided_at: instant('When it was decided; null while it waits.').nullable(),
  reason: prose('Why it was declined; null otherwise.').nullable(),
  edited: z
    .boolean()
    .meta({ description: 'Whether the reviewer accepted another text, tier or front matter.' }),
};

/** A proposal as lists have it. */
export const proposalRow = z
  .object(proposal)
  .meta({ id: 'Proposal', description: 'An item that was pushed with a key of access `propose`.' });

export type ProposalRow = z.output<typeof proposalRow>;

/** The answer of GET /proposals. */
export const proposalPage = z
  .object({
    proposals: z.array(proposalRow).meta({ description: 'The one that changed last first.' }),
    ...listEnd,
  })
  .meta({ id: 'ProposalPage' });

export type ProposalPage = z.output<typeof proposalPage>;

/** The answer of GET /proposals/{proposal_id}. */
export const wholeProposal = z
  .object({
    ...proposal,
    item: itemShape.nullable().meta({ description: 'What was proposed; null once decided.' }),
    current_checksum: z.string().regex(storedChecksumPattern).nullable().meta({
      description: 'Checksum of the item that is stored now; null if there is none, and once decided.',
    }),
  })
  .meta({ id: 'WholeProposal' });

/** The query of GET /proposals. */
export const proposalListQuery = listParameters.extend({
  state: z
    .enum(proposalStates, { error: 'must be waiting, accepted or declined' })
    .meta({ description: 'Only proposals of this state. Without it all are listed.' })
    .optional(),
});

/** The body of POST /proposals/{proposal_id}/accept. */
export const acceptance = object({
  item: itemShape.optional().meta({
    description: 'What to store instead, whole and with the same `row_key`; its `base_checksum` is ignored.',
  }),
  base_checksum: text(
    'Checksum of the version that must be stored now, as `current_checksum` says; null if there must be none. Without it, the one that the item was proposed for.',
  )
    .nullable()
    .optional(),
}).meta({ id: 'Acceptance' });

/** The body of POST /proposals/{proposal_id}/decline. */
export const decline = object({
  reason: text('Why, for whoever proposed it.', { minLength: 1, maxLength: maxReasonCharacters }).refine(
    (reason) => reason.trim() !== '' && [...reason].length <= maxReasonCharacters,
    `must have 1 to ${maxReasonCharacters} characters that are not all white space`,
  ),
}).meta({ id: 'Decline' });

/** A proposal that is decided already, or an item that is not the version which was edited. */
export const proposalConflict = problem(
  'conflict',
  {
    current_checksum: z
      .string()
      .regex(storedChecksumPattern)
      .meta({
        description:
          'Checksum of the item that is stored. Left out if there is none, and if the proposal is decided.',
      })
      .optional(),
  },
  { current_checksum: 'sha256:5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9' },
  {
    id: 'ProposalConflictProblem',
    description: 'The proposal is decided already, or the stored item is not the version that was edited.',
  },
);

/** An item that is private, and so cannot be accepted. */
export const privateItemProblem = problem('admin_tier', {}, {}, { id: 'PrivateItemProblem' });
