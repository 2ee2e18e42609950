// What the published package offers. Everything else may change without notice.
export type { AnswerEvent, Source } from './ask.ts';
export type { CallOptions } from './call-options.ts';
export type {
  Decision,
  DecisionPage,
  DecisionRow,
  ProjectList,
  Task,
  TaskPage,
  TaskRow,
} from './derived-lists.ts';
export type { EndpointOptions } from './endpoint.ts';
export type { ChangedEvent } from './events.ts';
export type {
  DeletedItem,
  Item,
  ItemError,
  ItemPage,
  ItemSummary,
  ItemSummaryPage,
  ItemVersion,
  ItemVersionPage,
  NewItem,
  PushResult,
} from './item.ts';
export type {
  CodebasePage,
  Rollup,
  Scan,
  ScanPage,
  ScanResult,
  Snapshot,
  SnapshotResult,
} from './measurements.ts';
export { ProblemError, type ProblemFields, type Violation } from './problem-error.ts';
export type {
  AcceptProposalOptions,
  ListProposalsOptions,
  Proposal,
  ProposalPage,
  WholeProposal,
} from './proposals.ts';
export type { ListItemsOptions, ListOptions, ListTasksOptions, PageOptions } from './requests.ts';
export type { Retry } from './retries.ts';
export { checksumOf, type ItemBase, type SavedItem, saveItem, type TextItem } from './save-item.ts';
export type { FoundPassages, Passage, SearchOptions } from './search.ts';
export {
  createTeamMemoryClient,
  type DeleteItemOptions,
  type TeamMemoryClient,
  type TeamMemoryClientOptions,
} from './team-memory-client.ts';
export { TransportError, type TransportErrorCode } from './transport-error.ts';
export type { SignInLink, Whoami } from './whoami.ts';
