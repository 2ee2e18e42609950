import { CoverageReason, CoverageState, type ItemCoverage } from '@teammemory/proto/query/v1/query_pb.ts';
import { plural, t } from '../../language/language.ts';

/** What a person reads about whether a search finds an item. */
export interface CoverageWords {
  label: string;
  tone: 'good' | 'warn' | 'bad';
  /** Whole sentences: how much is found, and why not all of it. */
  detail: string;
}

const reasons: Record<CoverageReason, string> = {
  [CoverageReason.UNSPECIFIED]: '',
  [CoverageReason.NO_TEXT]: t('It has no text outside its front matter.'),
  [CoverageReason.NOT_READABLE]: t(
    'Its text could not be read within the limits of the service. It is tried again when it changes.',
  ),
  [CoverageReason.NO_MEMORY]: t('The search index has no room left. An operator can raise INDEX_DISK_MB.'),
};

/** Says how much of an item a search finds, and why not all of it. */
export function coverageWords({ state, reason, passages, searchablePassages }: ItemCoverage): CoverageWords {
  if (state === CoverageState.INDEXED) {
    return {
      label: t('Searchable'),
      tone: 'good',
      detail: plural(
        passages,
        'Answers and search use all of it: 1 passage.',
        'Answers and search use all of it: {count} passages.',
      ),
    };
  }
  const why = reasons[reason];
  if (state === CoverageState.NOT_INDEXED) {
    return {
      label: t('Not searchable'),
      tone: 'bad',
      detail: `${t('Answers and search do not find it.')} ${why}`,
    };
  }
  const some = plural(passages, '{found} of 1 passage are found.', '{found} of {count} passages are found.', {
    found: searchablePassages,
  });
  return { label: t('Searchable in part'), tone: 'warn', detail: `${some} ${why}` };
}
