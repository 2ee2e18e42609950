import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Redirect, Route, Switch, useLocation } from 'wouter-preact';
import { EmptyState } from './components/empty-state.tsx';
import { Page } from './components/page.tsx';
import { ProblemNotice } from './components/problem-notice.tsx';
import { Skeleton } from './components/skeleton.tsx';
import { useRequest } from './data/use-request.ts';
import { t } from './language/language.ts';
import { Layout } from './layout/layout.tsx';
import { lazyPage } from './layout/lazy-page.tsx';
import { isReviewer, isTeamMember, loadSession, session } from './service/session.ts';

const SignInPage = lazyPage(() => import('./pages/sign-in/sign-in-page.tsx'), true);
const InvitationPage = lazyPage(() => import('./pages/invitation/invitation-page.tsx'));
const AskPage = lazyPage(() => import('./pages/ask/ask-page.tsx'), true);
const MemoryPage = lazyPage(() => import('./pages/memory/memory-page.tsx'));
const NewsPage = lazyPage(() => import('./pages/news/news-page.tsx'));
const MoneyPage = lazyPage(() => import('./pages/money/money-page.tsx'));
const TeamPage = lazyPage(() => import('./pages/team/team-page.tsx'));
const ConnectPage = lazyPage(() => import('./pages/connect/connect-page.tsx'));
const ConsentPage = lazyPage(() => import('./pages/consent/consent-page.tsx'));
const DecisionsPage = lazyPage(() => import('./pages/decisions/decisions-page.tsx'));
const NewDecisionPage = lazyPage(() => import('./pages/decisions/new-decision-page.tsx'));
const EditDecisionPage = lazyPage(() => import('./pages/decisions/edit-decision-page.tsx'));
const DecisionPage = lazyPage(() => import('./pages/decisions/decision-page.tsx'));
const ProjectsPage = lazyPage(() => import('./pages/projects/projects-page.tsx'));
const ProjectPage = lazyPage(() => import('./pages/projects/project-page.tsx'));
const MaturityPage = lazyPage(() => import('./pages/maturity/maturity-page.tsx'));
const ReadinessPage = lazyPage(() => import('./pages/readiness/readiness-page.tsx'));
const TasksPage = lazyPage(() => import('./pages/tasks/tasks-page.tsx'));
const ReviewPage = lazyPage(() => import('./pages/review/review-page.tsx'));
const ProposalPage = lazyPage(() => import('./pages/review/proposal-page.tsx'));
const WritePage = lazyPage(() => import('./pages/write/write-page.tsx'));

/** A page by its path. */
interface Place {
  /** One that ends in `*` has more below it. */
  path: string;
  component: ComponentType;
  isForGuests: boolean;
  isForReviewers?: boolean;
}

const pages: readonly Place[] = [
  { path: '/', component: AskPage, isForGuests: true },
  { path: '/memory', component: MemoryPage, isForGuests: true },
  { path: '/memory/*', component: MemoryPage, isForGuests: true },
  { path: '/write', component: WritePage, isForGuests: true },
  { path: '/news', component: NewsPage, isForGuests: true },
  { path: '/tasks', component: TasksPage, isForGuests: true },
  { path: '/money', component: MoneyPage, isForGuests: false },
  { path: '/readiness', component: ReadinessPage, isForGuests: false },
  { path: '/readiness/*', component: ReadinessPage, isForGuests: false },
  { path: '/maturity', component: MaturityPage, isForGuests: false },
  { path: '/team', component: TeamPage, isForGuests: false },
  { path: '/connect', component: ConnectPage, isForGuests: true },
  { path: '/oauth/authorize', component: ConsentPage, isForGuests: true },
  { path: '/decisions', component: DecisionsPage, isForGuests: true },
  { path: '/decisions/new', component: NewDecisionPage, isForGuests: true },
  { path: '/decisions/:id', component: DecisionPage, isForGuests: true },
  { path: '/decisions/:id/edit', component: EditDecisionPage, isForGuests: false },
  { path: '/review', component: ReviewPage, isForGuests: false, isForReviewers: true },
  { path: '/review/:id', component: ProposalPage, isForGuests: false, isForReviewers: true },
  { path: '/projects', component: ProjectsPage, isForGuests: false },
  { path: '/projects/:slug', component: ProjectPage, isForGuests: false },
];

/** The whole dashboard: who is signed in decides between the sign-in page and the others. */
export function App() {
  const [path] = useLocation();
  const { problem, reload } = useRequest(loadSession, []);
  // Every page begins at its top, as after a click on any link.
  useEffect(() => window.scrollTo(0, 0), [path]);
  if (session.value === undefined) {
    return problem === undefined ? (
      <Skeleton lines={0} />
    ) : (
      <main>
        <Page title="Team Memory" isNarrow>
          <ProblemNotice problem={problem} onRetry={reload} />
        </Page>
      </main>
    );
  }
  if (path === '/sign-in') return <SignInPage />;
  if (path === '/invitation') return <InvitationPage />;
  // The address stays, so that a deep link leads where it should after signing in.
  if (session.value === null) return <SignInPage />;
  const open = pages.filter(
    ({ isForGuests, isForReviewers = false }) =>
      (isForGuests || isTeamMember()) && (!isForReviewers || isReviewer()),
  );
  return (
    <Layout>
      <Switch>
        {open.map(({ path: pattern, component: Component }) => (
          <Route key={pattern} path={pattern}>
            <Component />
          </Route>
        ))}
        <Route path="/ask">
          <Redirect to="/" />
        </Route>
        <Route>
          <Page title={t('Not found')}>
            <EmptyState icon="search" title={t('There is no such page')}>
              {t('The link may be old, or lead to a page that your key does not open.')}
            </EmptyState>
          </Page>
        </Route>
      </Switch>
    </Layout>
  );
}
