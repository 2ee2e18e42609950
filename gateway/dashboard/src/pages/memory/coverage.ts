import { CoverageReason, CoverageState, type ItemCoverage } from '@teammemory/proto/query/v1/query_pb.ts';

/** What a person reads about whether a search finds an item. */
export interface CoverageWords {
  label: string;
  tone: 'good' | 'warn' | 'bad';
  /** Whole sentences: how much is found, and why not all of it. */
  detail: string;
}

const reasons: Record<CoverageReason, string> = {
  [CoverageReason.UNSPECIFIED]: '',
  [CoverageReason.NO_TEXT]: 'It has no text outside its front matter.',
  [CoverageReason.NOT_READABLE]:
    'Its text could not be read within the limits of the service. It is tried again when it changes.',
  [CoverageReason.NO_MEMORY]: 'The search index has no room left. An operator can raise INDEX_DISK_MB.',
};

/** Says how much of an item a search finds, and why not all of it. */
export function coverageWords({ state, reason, passages, searchablePassages }: ItemCoverage): CoverageWords {
  const all = `${passages.toLocaleString()} ${passages === 1 ? 'passage' : 'passages'}`;
  if (state === CoverageState.INDEXED) {
    return { label: 'Searchable', tone: 'good', detail: `Answers and search use all of it: ${all}.` };
  }
  const why = reasons[reason];
  if (state === CoverageState.NOT_INDEXED) {
    return { label: 'Not searchable', tone: 'bad', detail: `Answers and search do not find it. ${why}` };
  }
  const some = `${searchablePassages.toLocaleString()} of ${all} are found`;
  return { label: 'Searchable in part', tone: 'warn', detail: `${some}. ${why}` };
}
