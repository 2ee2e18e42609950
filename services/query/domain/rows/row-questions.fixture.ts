import type { Row } from './row.ts';

/** The day on which the questions are asked, a Sunday. */
export const today = '2026-11-22';

const log = (rowKey: string, title: string) => ({ rowKey, title, heading: '' });
const ops = log('projects/ops/tasks.md', 'Operations tasks');
const pricing = log('projects/pricing/todo.md', 'Pricing to-do');
const office = log('office/tasks.md', 'Office');

function task(id: string, title: string, values: Partial<Row>): Row {
  const none = { status: 'open', owner: '', due: '', project: '', tags: [], date: '2026-11-01' };
  return { kind: 'task', id, title, tier: 'team', source: office, ...none, ...values };
}

function decision(id: string, title: string, status: string, date: string, project = ''): Row {
  const source = { rowKey: `decisions/${id}`, title, heading: '' };
  const fields = { owner: '', due: '', tags: [], project };
  return { kind: 'decision', id, title, tier: 'team', status, date, source, ...fields };
}

function project(id: string, title: string): Row {
  const source = { rowKey: `projects/${id}`, title, heading: '' };
  const fields = { status: '', owner: '', due: '', project: id, tags: [], date: '2026-11-02' };
  return { kind: 'project', id, title, tier: 'team', source, ...fields };
}

/** What a small company might have on a day. */
export const companyRows: readonly Row[] = [
  task('tls', 'Renew the TLS certificate', {
    owner: 'mara',
    due: '2026-11-25',
    project: 'ops',
    tags: ['security'],
    source: ops,
  }),
  task('copy', 'Write the pricing page copy', {
    owner: 'mara',
    due: '2026-12-04',
    project: 'pricing',
    source: pricing,
  }),
  task('call', 'Call Nordwind about the renewal', {
    owner: 'jonas',
    due: '2026-11-18',
    project: 'customer-nordwind',
  }),
  task('ledger', 'Migrate the invoices to the new ledger', { owner: 'lea', project: 'billing-rework' }),
  task('laptops', 'Order new laptops', {
    owner: 'jonas',
    due: '2026-10-15',
    status: 'done',
    date: '2026-10-14',
  }),
  task('flyers', 'Print flyers for the fair', { owner: 'lea', status: 'cancelled', date: '2026-09-30' }),
  task('dpa', 'Review the data processing agreement', {
    owner: 'mara',
    due: '2026-11-10',
    status: 'done',
    project: 'pricing',
    date: '2026-11-11',
  }),
  task('staging', 'Set up the staging cluster', { due: '2026-11-20', project: 'ops', source: ops }),
  task('faq', 'Draft the pricing FAQ', {
    owner: 'jonas',
    due: '2026-11-30',
    project: 'pricing',
    source: pricing,
  }),
  task('rotate', 'Rotate the database passwords', {
    owner: 'lea',
    due: '2027-01-15',
    project: 'ops',
    tags: ['security'],
    source: ops,
  }),
  decision('postgres', 'Use PostgreSQL for billing', 'accepted', '2026-03-10', 'billing-rework'),
  decision('kafka', 'Adopt Kafka for events', 'rejected', '2026-05-02'),
  decision('tiers', 'Three price tiers', 'proposed', '2026-11-12', 'pricing'),
  decision('monthly', 'Monthly releases', 'superseded', '2025-09-01'),
  decision('weekly', 'Weekly releases', 'accepted', '2026-10-06'),
  decision('zendesk', 'Move support to Zendesk', 'proposed', '2026-10-20'),
  project('pricing', 'Pricing'),
  project('billing-rework', 'Billing rework'),
  project('ops', 'Operations'),
  project('customer-nordwind', 'Customer Nordwind'),
];

/** Questions that rows answer, with the identities of the rows of the answer; the first half was looked at while the parser was written. */
export const rowQuestions: { seen: [string, string[]][]; kept: [string, string[]][] } = {
  seen: [
    ['What is mara working on?', ['tls', 'copy']],
    ['open tasks of mara', ['tls', 'copy']],
    ["What's due in November?", ['call', 'staging', 'tls', 'faq']],
    ['Which tasks are overdue?', ['call', 'staging']],
    ['Which decisions are proposed?', ['tiers', 'zendesk']],
    ['What did we decide in October?', ['zendesk', 'weekly']],
    ['What projects do we have?', ['billing-rework', 'customer-nordwind', 'ops', 'pricing']],
    ['How many open tasks does Jonas have?', ['call', 'faq']],
    ['Is anything left to do for the pricing project?', ['faq', 'copy']],
    ['What has been cancelled?', ['flyers']],
    ['rejected decisions', ['kafka']],
    ['When is the TLS certificate task due?', ['tls']],
    ['Who owns the task to migrate the invoices?', ['ledger']],
    ['Welche Aufgaben sind noch offen?', ['call', 'staging', 'tls', 'faq', 'copy', 'rotate', 'ledger']],
    ['Welche Entscheidungen wurden abgelehnt?', ['kafka']],
    ['List all tasks in the ops project.', ['staging', 'tls', 'rotate']],
    ['tasks tagged #security', ['tls', 'rotate']],
    ['Which tasks have no owner?', ['staging']],
    ['Show me the tasks due before December', ['call', 'staging', 'tls', 'faq']],
    ['Quelles tâches sont ouvertes ?', ['call', 'staging', 'tls', 'faq', 'copy', 'rotate', 'ledger']],
  ],
  kept: [
    ['What does Lea still have to do?', ['rotate', 'ledger']],
    ["What are jonas's open to-dos?", ['call', 'faq']],
    ['What is due next week?', ['tls']],
    ['Are there any overdue tasks?', ['call', 'staging']],
    ['Which decisions have been accepted?', ['weekly', 'postgres']],
    ['Which decisions did we make in 2026?', ['tiers', 'zendesk', 'weekly', 'kafka', 'postgres']],
    ['list our projects', ['billing-rework', 'customer-nordwind', 'ops', 'pricing']],
    ['How many decisions are proposed?', ['tiers', 'zendesk']],
    ['What remains to be done in billing-rework?', ['ledger']],
    ['Which tasks were completed in November?', ['dpa']],
    ['superseded decisions', ['monthly']],
    ['When are the database passwords due to be rotated?', ['rotate']],
    ['Who is assigned to the staging cluster task?', ['staging']],
    ['Was ist im November fällig?', ['call', 'staging', 'tls', 'faq']],
    ['Woran arbeitet Mara?', ['tls', 'copy']],
    ['Which open action items are about pricing?', ['faq', 'copy']],
    ['all decisions since May 2026', ['tiers', 'zendesk', 'weekly', 'kafka']],
    ['Which tasks are unassigned?', ['staging']],
    ['What do we have to finish by the end of the month?', ['call', 'staging', 'tls', 'faq']],
    ['¿Qué tareas están pendientes?', ['call', 'staging', 'tls', 'faq', 'copy', 'rotate', 'ledger']],
  ],
};

/** Questions that sound like those, but that notes answer. */
export const otherQuestions: { seen: string[]; kept: string[] } = {
  seen: [
    'What is the task queue limit?',
    'Why did we decide against Kafka?',
    'What is the decision on Kafka?',
    'What is the goal of the pricing project?',
    'Who leads the billing project?',
    'How do tasks get their owner?',
    'What are tasks?',
    'What tasks does the scheduler run at night?',
    'What did Mara say about the renewal?',
    'When does the TLS certificate expire?',
    'What does cancelled mean for an order?',
    'How is a project created?',
    'What is still open at 6 pm on Sundays?',
    'What did we decide about the parking lot?',
    'Who do I ask for a new laptop?',
  ],
  kept: [
    'How many tasks can a worker run at once?',
    'What is the open door policy?',
    'Which project management tool do we use?',
    'Where are decisions written down?',
    'What was the reason for the decision to release weekly?',
    'How long may a task run before it is killed?',
    'What happens to overdue invoices?',
    'Who accepted the proposal of Nordwind?',
    'What is the status of the migration?',
    'When is rent due?',
    'What is Mara responsible for at the fair in Hamburg?',
    'Who decides on price changes?',
    'What projects did Ada lead before she joined?',
    'Warum wurde Kafka abgelehnt?',
    'What is the next release?',
  ],
};
