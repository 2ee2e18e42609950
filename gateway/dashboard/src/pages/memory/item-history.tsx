import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Badge, GuestBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Difference } from '../../components/difference.tsx';
import { Notice, ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { When } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { useRequest } from '../../data/use-request.ts';
import { t } from '../../language/language.ts';
import type { Item } from '../../service/items.ts';
import { rpc } from '../../service/rpc.ts';
import { isTeamMember, mayWrite } from '../../service/session.ts';
import styles from './item-history.module.css';
import { EraseRemoved } from './remove-item.tsx';
import { restoreItem } from './restore-item.ts';

const decoder = new TextDecoder();
const maxVersions = 200;

interface Version {
  revision: number;
  checksum: string;
  tier: 'team' | 'external';
  updated_at: string;
  updated_by: string;
  by_guest?: true;
  deleted?: true;
  erased?: true;
  /** Only for team keys. */
  written_with?: { key_id: string; client?: string; proposed_by?: string };
}

/** What an item was, newest first, with what each change did; an earlier version can be restored. */
export function ItemHistory({
  rowKey,
  present,
  notThere,
  onRestored,
}: {
  rowKey: string;
  /** Undefined for an item that was removed. */
  present: Item | undefined;
  /** Shown where there never was such an item. */
  notThere?: ComponentChildren;
  onRestored: () => void;
}) {
  const { value, problem, reload } = useRequest(
    (signal) => readHistory(rowKey, signal),
    [rowKey, present?.checksum, present?.tier],
  );
  const [selected, setSelected] = useState<number>();
  useEffect(() => setSelected(undefined), [present?.checksum]);
  if (problem?.code === 'not_found' && notThere !== undefined) return <>{notThere}</>;
  if (problem !== undefined) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (value === undefined) return <Skeleton lines={6} />;
  const index = Math.max(
    0,
    value.findIndex(({ revision }) => revision === selected),
  );
  const version = value[index];
  if (version === undefined) return null;
  const before = value.slice(index + 1).find(({ deleted }) => !deleted);
  return (
    <div class={styles.history}>
      {present === undefined && (
        <Notice tone="warn">
          {value.every(({ deleted }) => deleted) ? (
            <p>{t('This item was removed, and no version of it is left.')}</p>
          ) : (
            <>
              <p>{t('This item was removed. Its earlier versions are kept and can be restored.')}</p>
              <EraseRemoved rowKey={rowKey} onErased={reload} />
            </>
          )}
        </Notice>
      )}
      <ol class={styles.versions} aria-label={t('Versions, newest first')}>
        {value.map((each, place) => (
          <li key={each.revision}>
            <button
              type="button"
              class={styles.version}
              aria-pressed={each === version}
              onClick={() => setSelected(each.revision)}
            >
              <span class={styles.by}>
                {each.updated_by}
                {isTeamMember() && <GuestBadge byGuest={each.by_guest} />}
                {each.deleted && <Badge tone="bad">{each.erased ? t('Erased') : t('Removed')}</Badge>}
                {place === 0 && !each.deleted && <Badge tone="accent">{t('Now')}</Badge>}
              </span>
              <When at={each.updated_at} />
              <TierChange version={each} before={value[place + 1]} />
            </button>
          </li>
        ))}
      </ol>
      <ShownVersion
        key={version.revision}
        rowKey={rowKey}
        version={version}
        before={before}
        present={present}
        isPresent={index === 0 && present !== undefined}
        onRestored={() => {
          reload();
          onRestored();
        }}
      />
    </div>
  );
}

function TierChange({ version, before }: { version: Version; before: Version | undefined }) {
  if (!isTeamMember() || before === undefined || before.tier === version.tier || version.deleted) return null;
  return (
    <Badge tone="guest">{version.tier === 'external' ? t('Shown to guests') : t('Hidden from guests')}</Badge>
  );
}

function ShownVersion({
  rowKey,
  version,
  before,
  present,
  isPresent,
  onRestored,
}: {
  rowKey: string;
  version: Version;
  /** The text that this version replaced. */
  before: Version | undefined;
  present: Item | undefined;
  isPresent: boolean;
  onRestored: () => void;
}) {
  const [asks, setAsks] = useState(false);
  const { value, problem, reload } = useRequest(
    async (signal) => {
      const [now, earlier] = await Promise.all([
        version.deleted ? undefined : readVersion(rowKey, version.revision, signal),
        before && readVersion(rowKey, before.revision, signal),
      ]);
      return { now, earlier };
    },
    [rowKey, version.revision, before?.revision],
  );
  const restore = useAction(async (item: Item) => restoreItem(item, present));
  // What was removed can be restored from the version before its removal.
  const restorable = version.erased ? undefined : version.deleted ? value?.earlier : value?.now;
  return (
    <section class={styles.shown} aria-label={t('The change')}>
      <ProblemNotice problem={problem} onRetry={reload} />
      {value === undefined && problem === undefined && <Skeleton lines={8} />}
      {value !== undefined && (
        <>
          <header class={styles.shownHeader}>
            <p>
              {changeWords(version, before)} <Means of={version} />
            </p>
            {!isPresent && restorable !== undefined && mayWrite() && (
              <Button icon="history" onClick={() => setAsks(true)}>
                {t('Restore this version')}
              </Button>
            )}
          </header>
          {!version.erased && <Difference before={textOf(value.earlier)} after={textOf(value.now)} />}
        </>
      )}
      {asks && restorable !== undefined && (
        <ConfirmDialog
          title={t('Restore this version?')}
          confirm={t('Restore')}
          isDanger={false}
          isBusy={restore.isRunning}
          problem={restore.problem?.code === 'conflict' ? undefined : restore.problem}
          onClose={() => {
            setAsks(false);
            restore.reset();
          }}
          onConfirm={async () => {
            if (!(await restore.run(restorable))) return;
            setAsks(false);
            onRestored();
          }}
        >
          <p>
            {t(
              'The text of {when} by {author} becomes the newest version of {path}. The present text stays in the history.',
              {
                when: <When at={restorable.updated_at} />,
                author: restorable.updated_by,
                path: <code>{rowKey}</code>,
              },
            )}{' '}
            {present === undefined
              ? t('Who sees the item stays as it is: the team alone.')
              : t('Who sees the item stays as it is.')}
          </p>
          {restore.problem?.code === 'conflict' && (
            <Notice tone="warn">
              <p>
                {t(
                  'Somebody has changed this item since you opened it, so nothing was overwritten. Close this, look at the newest version, and restore again if you still want to.',
                )}
              </p>
            </Notice>
          )}
        </ConfirmDialog>
      )}
    </section>
  );
}

/** With what a version was written. That it was the browser is known by the session; other programs name themselves. */
function Means({ of: { written_with: means } }: { of: Version }) {
  if (means === undefined) return null;
  const key = <code translate={false}>{means.key_id}</code>;
  const program = <span translate={false}>{means.client}</span>;
  return (
    <span class={styles.means}>
      {means.client === undefined
        ? t('With the key {key}.', { key })
        : means.client === 'browser'
          ? t('With the key {key}, in the browser.', { key })
          : t('With the key {key}, by a program that calls itself {program}.', { key, program })}
      {means.proposed_by !== undefined && (
        <> {t('It was proposed by {member}.', { member: means.proposed_by })}</>
      )}
    </span>
  );
}

function changeWords({ deleted, erased, updated_by: who }: Version, before: Version | undefined): string {
  if (erased) return t('{who} erased it, with its versions.', { who });
  if (deleted) return t('{who} removed it. This was its text:', { who });
  return before === undefined ? t('{who} wrote it:', { who }) : t('What {who} changed:', { who });
}

/** What a person compares: the front matter as it was written, and the text. */
function textOf(item: Item | undefined): string {
  if (item === undefined) return '';
  const { frontmatter, frontmatter_text: written } = item;
  const fields = written ?? (Object.keys(frontmatter).length > 0 ? JSON.stringify(frontmatter, null, 2) : '');
  return fields === '' ? item.content : `---\n${fields.trimEnd()}\n---\n${item.content}`;
}

async function readHistory(rowKey: string, signal: AbortSignal): Promise<Version[]> {
  const { versionsJson } = await rpc.content.listItemHistory({ rowKey, limit: maxVersions }, { signal });
  return JSON.parse(decoder.decode(versionsJson));
}

async function readVersion(rowKey: string, revision: number, signal: AbortSignal): Promise<Item> {
  const answer = await rpc.content.getItemVersion({ rowKey, revision: BigInt(revision) }, { signal });
  return JSON.parse(decoder.decode(answer.versionJson));
}
