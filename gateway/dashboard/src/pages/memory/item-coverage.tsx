import { SkipReason } from '@teammemory/proto/content/v1/content_pb.ts';
import { useId, useState } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { Notice } from '../../components/problem-notice.tsx';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember } from '../../service/session.ts';
import { coverageWords } from './coverage.ts';
import styles from './item-view.module.css';

const skipReasons: Record<SkipReason, string> = {
  [SkipReason.UNSPECIFIED]: '',
  [SkipReason.TOO_COMPLEX]: t('No tasks are made of it: reading its lists takes too long.'),
  [SkipReason.TOO_MANY]: t('Only its first 2,000 tasks are in the list of tasks.'),
  [SkipReason.TOO_DEEP]: t('Tasks in more than ten nested lists are not in the list of tasks.'),
  [SkipReason.TOO_LONG]: t('Tasks after the first 256 Ki characters are not in the list of tasks.'),
};

/** Says whether a search finds an item, and opens the reasons. `version` is what is shown: another one is asked for anew. */
export function ItemCoverage({ rowKey, version }: { rowKey: string; version: string }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { value, problem } = useRequest(
    async (signal) => (await rpc.query.getItemCoverage({ rowKey }, { signal })).coverage,
    [rowKey, version],
  );
  const skipped = useRequest(
    async (signal) =>
      isTeamMember()
        ? (await rpc.content.listSkippedTexts({ rowKey }, { signal })).texts[0]?.reason
        : undefined,
    [rowKey, version],
  );
  if (problem?.code === 'unavailable') return <Badge tone="warn">{t('Search is catching up')}</Badge>;
  if (value === undefined) return null;
  const { label, tone, detail } = coverageWords(value);
  return (
    <>
      <button
        type="button"
        class={styles.coverage}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Badge tone={tone}>{label}</Badge>
      </button>
      <div id={id} class={styles.coverageDetail} hidden={!isOpen && tone === 'good' && !skipped.value}>
        <Notice tone={tone === 'good' && !skipped.value ? 'info' : 'warn'}>
          <p>{detail}</p>
          {skipped.value !== undefined && <p>{skipReasons[skipped.value]}</p>}
        </Notice>
      </div>
    </>
  );
}
