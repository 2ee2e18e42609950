import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Member } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { AuditEntry } from '@teammemory/proto/common/v1/audit_pb.ts';
import { useEffect, useState } from 'preact/hooks';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Select } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import { inOrder, type LogOfService, readNewest, readOlder } from './audit-data.ts';
import { actionWords } from './audit-words.ts';
import { requestWords } from './request-words.ts';
import styles from './team-page.module.css';

/** Who changed what in the team, newest first, of everybody or of one member. */
export function Audit({ members }: { members: readonly Member[] }) {
  const [handle, setHandle] = useState('');
  const { value, problem, isLoading, reload } = useRequest((signal) => readNewest(handle, signal), [handle]);
  const [logs, setLogs] = useState<readonly LogOfService[]>();
  useEffect(() => setLogs(value), [value]);
  const more = useAction(async (known: readonly LogOfService[]) => setLogs(await readOlder(handle, known)));
  const hasMore = logs?.some(({ nextPageToken }) => nextPageToken !== '') ?? false;
  const entries = inOrder(logs ?? []);
  return (
    <Card
      title={t('Who changed what')}
      isFlush
      actions={
        <Button isBusy={isLoading} onClick={reload}>
          {t('Look again')}
        </Button>
      }
    >
      <div class={styles.filter}>
        <Select
          label={t('By')}
          value={handle}
          disabled={more.isRunning}
          onChange={(event) => setHandle(event.currentTarget.value)}
        >
          <option value="">{t('everybody')}</option>
          {members.map((member) => (
            <option key={member.handle} value={member.handle}>
              {member.handle}
            </option>
          ))}
        </Select>
      </div>
      <ProblemNotice problem={problem ?? more.problem} onRetry={reload} />
      {logs === undefined && problem === undefined && <Skeleton lines={6} />}
      {logs !== undefined && entries.length === 0 && !hasMore && (
        <p class={styles.empty} role="status">
          {t('Nothing is noted.')}
        </p>
      )}
      {entries.length > 0 && (
        <Table
          caption={t('Audit log, newest first')}
          rows={entries.map((entry, index) => ({ entry, index }))}
          keyOf={({ index }) => String(index)}
          columns={columns}
        />
      )}
      {logs !== undefined && hasMore && (
        <div class={styles.filter}>
          <Button kind="quiet" isBusy={more.isRunning} onClick={() => more.run(logs)}>
            {t('Show older ones')}
          </Button>
        </div>
      )}
    </Card>
  );
}

const columns: Column<{ entry: AuditEntry }>[] = [
  { heading: t('When'), cell: ({ entry: { at } }) => at && <When at={timestampDate(at)} /> },
  {
    heading: t('What'),
    cell: ({ entry: { action, object, outcome, code } }) => (
      <div class={styles.detail}>
        {actionWords(action)}{' '}
        {outcome === 'failed' && (
          <Badge tone="bad">{t('Failed: {code}', { code: code.replaceAll('_', ' ') })}</Badge>
        )}
        <p class={styles.muted} dir="auto">
          {outcome === 'refused' ? requestWords(object) : object}
        </p>
      </div>
    ),
  },
  {
    heading: t('How'),
    cell: ({ entry: { before, after } }) => <p class={styles.detail}>{changeWords(before, after)}</p>,
  },
  {
    heading: t('Who'),
    cell: ({ entry: { actor, clientAddress } }) => (
      <div>
        {actorWords(actor)}
        <p class={`${styles.key} ${styles.muted}`}>{clientAddress}</p>
      </div>
    ),
  },
];

function actorWords(actor: AuditEntry['actor']): string {
  if (actor?.kind === 'member') return actor.name;
  if (actor?.kind === 'administrator') return t('an administrator of the installation');
  return actor?.kind === 'service' ? t('the service') : t('somebody unknown');
}

/** Facts that an act changed, as "role member → admin". */
function changeWords(before: Record<string, string>, after: Record<string, string>): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map((name) => {
      const values = [before[name], after[name]].filter((value) => value !== undefined && value !== '');
      return `${name.replaceAll('_', ' ')} ${values.join(' → ')}`;
    })
    .join(', ');
}
