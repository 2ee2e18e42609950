import { TaskStatus } from '@teammemory/proto/content/v1/content_pb.ts';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { feedPageRows, useFeed } from '../../data/use-feed.ts';
import { useRequest } from '../../data/use-request.ts';
import { numberText, t } from '../../language/language.ts';
import { decisionPath, itemPath } from '../../service/paths.ts';
import { rpc } from '../../service/rpc.ts';
import type { Decision } from '../decisions/decision.ts';
import { StatusBadge } from '../decisions/status-badge.tsx';
import type { Task } from '../tasks/task-groups.ts';
import { TaskRow } from '../tasks/task-row.tsx';
import { RenameProject } from './project-dialogs.tsx';
import { mayRenameProjects, readProjects } from './projects.ts';
import styles from './projects-page.module.css';

/** Rows of each kind that are shown at first, and with every "Show more". */
const shownAtOnce = 20;

/** One project: its open tasks, its decisions and its items. */
export default function ProjectPage() {
  const { slug = '' } = useParams<{ slug: string }>();
  const { value: projects, problem, reload } = useRequest(readProjects, []);
  const [isRenaming, setRenaming] = useState(false);
  const project = projects?.find((each) => each.slug === slug);
  if (project === undefined) {
    return (
      <Page title={t('Project')}>
        <ProblemNotice problem={problem} onRetry={reload} />
        {projects === undefined && problem === undefined && <Skeleton lines={6} />}
        {projects !== undefined && (
          <EmptyState icon="projects" title={t('There is no such project')}>
            {t('No item names it any more, or it was removed. <link>All projects</link>', {
              link: (words) => <Link href="/projects">{words}</Link>,
            })}
          </EmptyState>
        )}
      </Page>
    );
  }
  return (
    <Page
      title={project.name}
      description={<code>{slug}</code>}
      actions={
        mayRenameProjects() && (
          <Button icon="edit" onClick={() => setRenaming(true)}>
            {t('Rename')}
          </Button>
        )
      }
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      <div class={styles.sections} key={slug}>
        <OpenTasks slug={slug} />
        <Decisions slug={slug} />
        <Items slug={slug} />
      </div>
      {isRenaming && (
        <RenameProject
          project={project}
          onClose={() => setRenaming(false)}
          onRenamed={() => {
            setRenaming(false);
            reload();
          }}
        />
      )}
    </Page>
  );
}

function OpenTasks({ slug }: { slug: string }) {
  const { rows, isComplete, problem, reload } = useFeed<Task>(
    async (cursor, signal) => {
      const filter = { project: slug, status: TaskStatus.OPEN };
      return (await rpc.content.listTasks({ page: { cursor, limit: feedPageRows }, filter }, { signal }))
        .page;
    },
    [slug],
  );
  const byDay = rows.toSorted((one, other) => (one.due ?? '9').localeCompare(other.due ?? '9'));
  return (
    <Card
      title={titleOf(t('Open tasks'), rows.length, isComplete)}
      actions={
        <Link href={`/tasks?project=${encodeURIComponent(slug)}&status=all`}>
          {t('All tasks of this project')}
        </Link>
      }
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      <Rows
        rows={byDay}
        isComplete={isComplete}
        keyOf={({ task_id }) => task_id}
        nothing={t('No open task belongs to this project.')}
      >
        {(task) => <TaskRow task={task} />}
      </Rows>
    </Card>
  );
}

function Decisions({ slug }: { slug: string }) {
  const { rows, isComplete, problem, reload } = useFeed<Decision>(
    async (cursor, signal) =>
      (await rpc.content.listDecisions({ page: { cursor, limit: feedPageRows } }, { signal })).page,
    [],
  );
  const own = rows.filter(({ project }) => project === slug).toReversed();
  return (
    <Card title={titleOf(t('Decisions'), own.length, isComplete)}>
      <ProblemNotice problem={problem} onRetry={reload} />
      <Rows
        rows={own}
        isComplete={isComplete}
        keyOf={({ decision_id }) => decision_id}
        nothing={t('No decision belongs to this project.')}
      >
        {({ decision_id, title, status }) => (
          <li class={styles.row}>
            <Link href={decisionPath(decision_id)}>{title}</Link>
            <StatusBadge status={status} />
          </li>
        )}
      </Rows>
    </Card>
  );
}

function Items({ slug }: { slug: string }) {
  const [pages, setPages] = useState(1);
  const { value, problem, reload } = useRequest((signal) => readItems(slug, pages, signal), [slug, pages]);
  const [shown, setShown] = useState<readonly string[]>([]);
  // What is listed stays while more is read.
  useEffect(() => {
    if (value !== undefined) setShown(value.rowKeys);
  }, [value]);
  const rowKeys = value?.rowKeys ?? shown;
  const hasMore = value?.hasMore === true;
  return (
    <Card title={titleOf(t('Items'), rowKeys.length, value !== undefined && !hasMore)}>
      <ProblemNotice problem={problem} onRetry={reload} />
      <Rows
        rows={rowKeys}
        isComplete={value !== undefined}
        keyOf={(rowKey) => rowKey}
        nothing={t(
          'No item names this project yet. An item does by its path, projects/{slug}/…, or with “project: {slug}” in its front matter.',
          { slug },
        )}
      >
        {(rowKey) => (
          <li class={styles.row}>
            <Link href={itemPath(rowKey)}>{rowKey}</Link>
          </li>
        )}
      </Rows>
      {hasMore && (
        <Button kind="quiet" onClick={() => setPages(pages + 1)}>
          {t('Read more items')}
        </Button>
      )}
    </Card>
  );
}

/** A list of which the first rows are shown, and more when they are asked for. */
function Rows<Row>({
  rows,
  isComplete,
  keyOf,
  nothing,
  children,
}: {
  rows: readonly Row[];
  isComplete: boolean;
  keyOf: (row: Row) => string;
  nothing: string;
  children: (row: Row) => ComponentChildren;
}) {
  const [shown, setShown] = useState(shownAtOnce);
  if (rows.length === 0) {
    return isComplete ? <p class={styles.quiet}>{nothing}</p> : <Skeleton lines={3} />;
  }
  return (
    <>
      <ul>
        {rows.slice(0, shown).map((row) => (
          <Fragment key={keyOf(row)}>{children(row)}</Fragment>
        ))}
      </ul>
      {shown < rows.length && (
        <Button kind="quiet" onClick={() => setShown(shown + 5 * shownAtOnce)}>
          {t('Show more')}
        </Button>
      )}
    </>
  );
}

function titleOf(name: string, count: number, isComplete: boolean): string {
  if (!isComplete && count === 0) return name;
  return `${name} (${numberText(count)}${isComplete ? '' : '+'})`;
}

async function readItems(
  slug: string,
  pages: number,
  signal: AbortSignal,
): Promise<{ rowKeys: readonly string[]; hasMore: boolean }> {
  const rowKeys: string[] = [];
  let pageToken = '';
  for (let page = 0; page < pages; page += 1) {
    const answer = await rpc.content.listProjectItems({ slug, pageToken }, { signal });
    rowKeys.push(...answer.rowKeys);
    pageToken = answer.nextPageToken;
    if (pageToken === '') break;
  }
  return { rowKeys, hasMore: pageToken !== '' };
}
