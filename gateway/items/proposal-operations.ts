import type { Operation } from '../contract/operation.ts';
import { problem, problems } from '../contract/problem.ts';
import {
  acceptance,
  decline,
  privateItemProblem,
  proposalConflict,
  proposalListQuery,
  proposalPage,
  proposalRow,
  proposalSegment,
  wholeProposal,
} from './proposal-contract.ts';

const waiting = {
  proposal_id: proposalSegment.example,
  row_key: 'handbook/deploying.md',
  title: 'Deploying',
  tier: 'team',
  state: 'waiting',
  proposed_by: 'ada',
  key_id: '0123456789ABCDEF',
  proposed_at: '2026-11-21T06:27:00.123Z',
  decided_by: null,
  decided_at: null,
  reason: null,
  edited: false,
};
const decided = { title: '', decided_by: 'grace', decided_at: '2026-11-21T06:30:00.123Z' };
const proposedItem = {
  row_key: 'handbook/deploying.md',
  content: '# Deploying\n\nWe deploy every Tuesday at ten.\n',
  frontmatter: { audience: 'team' },
  tier: 'team',
  checksum: 'sha256:d92f631393d4c411bd712a301182d7b1b3f8a443d2f78b9e577805324362a841',
  base_checksum: null,
};

const path = '/api/v1/proposals/{proposal_id}' as const;

const listProposals: Operation = {
  method: 'GET',
  path: '/api/v1/proposals',
  tag: 'Proposals',
  summary: 'List proposals',
  description:
    'Returns one page of what was pushed with keys of access `propose`. Reviewers, who have a key of tier team and access `write`, see all proposals of the team; everybody else sees those of the own member.',
  access: 'any key',
  query: proposalListQuery,
  answer: {
    description: 'A page, the newest change first.',
    content: {
      mediaType: 'application/json',
      schema: proposalPage,
      example: { proposals: [waiting], next_cursor: null, has_more: false },
    },
  },
  problems: [problems.invalid_cursor],
};

const getProposal: Operation = {
  method: 'GET',
  path,
  tag: 'Proposals',
  summary: 'Read a proposal',
  description:
    'Returns one proposal that the list tells of, whole while it waits. Any other one is 404 `not_found`, and so is what is no id.',
  access: 'any key',
  pathParameters: [proposalSegment],
  answer: {
    description: 'The proposal.',
    content: {
      mediaType: 'application/json',
      schema: wholeProposal,
      example: { ...waiting, current_checksum: null, item: proposedItem },
    },
  },
  problems: [problems.not_found],
};

const acceptProposal: Operation = {
  method: 'POST',
  path: `${path}/accept`,
  tag: 'Proposals',
  summary: 'Accept a proposal',
  description:
    'Stores the proposed item, or the `item` of the body instead, as a push of the reviewer. If a push would refuse it, the answer has the code of that refusal, and the proposal goes on waiting. It requires a key of access `write`.',
  access: 'team key',
  writes: 'reviews',
  pathParameters: [proposalSegment],
  body: {
    mediaType: 'application/json',
    // One item, whose front matter may be 32 KiB of brackets.
    bounds: { maxValues: 20_000, maxLevels: 64 },
    schema: acceptance,
    example: { base_checksum: null },
  },
  answer: {
    description: 'The item is stored.',
    content: {
      mediaType: 'application/json',
      schema: proposalRow,
      example: { ...waiting, ...decided, state: 'accepted' },
    },
  },
  problems: [
    problems.not_found,
    proposalConflict,
    privateItemProblem,
    problem('contains_secret'),
    problem('quota_exceeded'),
  ],
};

const declineProposal: Operation = {
  method: 'POST',
  path: `${path}/decline`,
  tag: 'Proposals',
  summary: 'Decline a proposal',
  description:
    'Declines a proposal. Whoever proposed it can read the reason. It requires a key of access `write`.',
  access: 'team key',
  writes: 'reviews',
  pathParameters: [proposalSegment],
  body: {
    mediaType: 'application/json',
    bounds: { maxBytes: 64 * 1024, maxValues: 1_000, maxLevels: 32 },
    schema: decline,
    example: { reason: 'We deploy on Wednesdays since March.' },
  },
  answer: {
    description: 'The proposal is declined.',
    content: {
      mediaType: 'application/json',
      schema: proposalRow,
      example: {
        ...waiting,
        ...decided,
        state: 'declined',
        reason: 'We deploy on Wednesdays since March.',
      },
    },
  },
  problems: [problems.not_found, proposalConflict],
};

const withdrawProposal: Operation = {
  method: 'DELETE',
  path,
  tag: 'Proposals',
  summary: 'Withdraw a proposal',
  description: 'Removes a proposal of the own member that still waits, without a trace.',
  access: 'any key',
  writes: 'proposals',
  pathParameters: [proposalSegment],
  answer: { description: 'The proposal is withdrawn.' },
  problems: [problems.not_found, proposalConflict],
};

export const proposalOperations = {
  listProposals,
  getProposal,
  acceptProposal,
  declineProposal,
  withdrawProposal,
};
