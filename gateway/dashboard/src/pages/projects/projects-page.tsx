import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { When } from '../../components/time.tsx';
import { useRequest } from '../../data/use-request.ts';
import { plural, t } from '../../language/language.ts';
import { projectPath } from '../../service/paths.ts';
import { CreateProject, RenameProject } from './project-dialogs.tsx';
import {
  type Activity,
  activeAtOnce,
  mayCreateProjects,
  mayRenameProjects,
  readActivity,
  readProjects,
} from './projects.ts';
import styles from './projects-page.module.css';

/** Projects from which on a field to find one is shown, and that are shown at once. */
const findableFrom = 12;
const shownAtOnce = activeAtOnce;

/** The team's projects: those that somebody created, and those that items name. */
export default function ProjectsPage() {
  const [, navigate] = useLocation();
  const { value: projects, problem, reload } = useRequest(readProjects, []);
  const [isCreating, setCreating] = useState(false);
  const [renamed, setRenamed] = useState<{ slug: string; name: string }>();
  const [words, setWords] = useState('');
  const [shown, setShown] = useState(shownAtOnce);
  const fitting = (projects ?? []).filter(({ slug, name }) =>
    `${slug} ${name}`.toLowerCase().includes(words.toLowerCase()),
  );
  const cards = fitting.slice(0, shown);
  const slugs = cards.map(({ slug }) => slug).join(' ');
  const { value: activity } = useRequest(
    async (signal) => (slugs === '' ? undefined : readActivity(slugs.split(' '), signal)),
    [slugs],
  );
  return (
    <Page
      title={t('Projects')}
      description={t('What items, tasks and decisions belong to.')}
      actions={
        mayCreateProjects() && (
          <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
            {t('New project')}
          </Button>
        )
      }
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      {projects === undefined && problem === undefined && <Skeleton lines={6} />}
      {projects?.length === 0 && (
        <EmptyState
          icon="projects"
          title={t('No projects yet')}
          command="mkdir -p projects/website && echo '# Plan' > projects/website/plan.md && tms sync"
        >
          {t(
            'Create one here, or put a file into a folder of its name, in a folder that is in step with the team:',
          )}
        </EmptyState>
      )}
      {(projects?.length ?? 0) >= findableFrom && (
        <Field
          label={t('Name contains')}
          type="search"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      )}
      {projects !== undefined && projects.length > 0 && fitting.length === 0 && (
        <p role="status">{t('No project has “{words}” in its name.', { words })}</p>
      )}
      {fitting.length > 0 && (
        <ul class={styles.projects}>
          {cards.map(({ slug, name, brainOnly }) => (
            <li key={slug} class={styles.project}>
              <div class={styles.names}>
                <Link href={projectPath(slug)} class={styles.name}>
                  {name}
                </Link>
                <p class={styles.slug}>
                  <code>{slug}</code>
                  {brainOnly && <Badge>{t('No items yet')}</Badge>}
                </p>
                {!brainOnly && <ProjectFacts slug={slug} activity={activity} />}
              </div>
              {mayRenameProjects() && (
                <Button
                  kind="quiet"
                  icon="edit"
                  aria-label={t('Rename {name}', { name })}
                  onClick={() => setRenamed({ slug, name })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {shown < fitting.length && (
        <Button kind="quiet" onClick={() => setShown(shown + shownAtOnce)}>
          {plural(Math.min(shownAtOnce, fitting.length - shown), 'Show 1 more', 'Show {count} more')}
        </Button>
      )}
      {isCreating && (
        <CreateProject onClose={() => setCreating(false)} onCreated={(slug) => navigate(projectPath(slug))} />
      )}
      {renamed !== undefined && (
        <RenameProject
          project={renamed}
          onClose={() => setRenamed(undefined)}
          onRenamed={() => {
            setRenamed(undefined);
            reload();
          }}
        />
      )}
    </Page>
  );
}

/** What belongs to a project, in one line, whose place is kept until it is known. */
function ProjectFacts({ slug, activity }: { slug: string; activity: Activity | undefined }) {
  const project = activity?.bySlug.get(slug);
  if (project === undefined) return <p class={styles.facts}>&nbsp;</p>;
  const { items, openTasks, changedAt } = project;
  const more = activity?.hasMoreTasks === true ? '+' : '';
  return (
    <p class={styles.facts}>
      <span>{plural(items, '1 item', '{count} items')}</span>
      <span>
        {more === ''
          ? plural(openTasks, '1 open task', '{count} open tasks')
          : t('{count}+ open tasks', { count: openTasks })}
      </span>
      {changedAt !== undefined && (
        <span>{t('changed {when}', { when: <When at={timestampDate(changedAt)} /> })}</span>
      )}
    </p>
  );
}
