import type { NewDecision } from '@teammemory/client/rpc/decisions.ts';

/** A note of the made-up team. */
export interface Note {
  rowKey: string;
  author: string;
  tier?: 'external';
  content: string;
}

/** Who is on the team, a product team that makes a booking service for small ferries; the first looks after the team. */
export const members = ['ada', 'ines', 'jonas', 'mara'] as const;

/** Names of projects by slug. */
export const projects = {
  'tide-tables': 'Tide tables in the timetable',
  'card-payments': 'Card payments on board',
  'winter-timetable': 'Winter timetable',
};

/** What the team writes down, oldest first. */
export const notes: readonly Note[] = [
  {
    rowKey: 'team/how-we-work.md',
    author: 'ada',
    content: `# How we work

We release every Tuesday morning, after the early ferries have left. Whoever is on call that week presses the button and
stays until noon.

- Decisions are written down before the work begins, not after.
- A note that is older than a year is checked or thrown away.
- Nobody answers the phone alone on a stormy day.
`,
  },
  {
    rowKey: 'team/on-call.md',
    author: 'jonas',
    content: `# On call

The person on call carries the harbour phone from Monday 8:00 to Monday 8:00.

## When bookings stop

1. Look at the status page of the payment provider.
2. Restart the booking queue; it forgets nothing.
3. Tell the harbour offices by their group, in one sentence.

The last time it took eleven minutes, because the queue waited for a port that was closed for fog.
`,
  },
  {
    rowKey: 'product/refunds.md',
    author: 'ines',
    tier: 'external',
    content: `# Refunds

Passengers get their money back without asking when a ferry is cancelled. It reaches the card within three working days.

| reason | refund | who decides |
|---|---|---|
| cancelled by us | all of it | nobody, it is automatic |
| cancelled by the passenger, a day before | all but 2 € | the booking itself |
| missed the ferry | nothing, or a voucher | the harbour office |
`,
  },
  {
    rowKey: 'product/accessibility.md',
    author: 'mara',
    tier: 'external',
    content: `# Boarding with a wheelchair

Every pier has a ramp except Kestrel Point, where the crew helps at low tide. The booking asks once, and remembers.
`,
  },
  {
    rowKey: 'research/interviews-skippers.md',
    author: 'mara',
    content: `# Nine skippers about the timetable

We sat in the wheelhouse with nine skippers in September.

- Seven of nine look at the tide table first and at our timetable second.
- They trust the paper of the harbour office more than any screen, because it is corrected by hand.
- "If you know the water, you know when I leave," said one of them.

**What follows:** the timetable has to show the tide beside each departure, or nobody believes it.
`,
  },
  {
    rowKey: 'research/survey-passengers.md',
    author: 'ines',
    content: `# What passengers asked for

412 answers, collected on board in August.

1. Paying by card on board (61 %)
2. Knowing earlier when a ferry will not go (54 %)
3. A seat out of the wind (23 %)
`,
  },
  {
    rowKey: 'engineering/tide-api.md',
    author: 'jonas',
    content: `# Where tides come from

The hydrographic office publishes the tides of every port for two years ahead. We read them once a day at 04:10 and keep
what we have if it does not answer.

\`\`\`sh
curl -fsS https://tides.example.org/v2/kestrel-point
\`\`\`

Heights are above chart datum, in centimetres. A departure is marked as uncertain when the water at the pier is below 120 cm.
`,
  },
  {
    rowKey: 'engineering/booking-queue.md',
    author: 'jonas',
    content: `# The booking queue

A booking is safe as soon as the queue has it. It is tried again for six hours, then the harbour office gets a mail.

The queue keeps the order of one ferry and mixes the ferries. It does so since the morning when one full ferry held up the
other four.
`,
  },
  {
    rowKey: 'meetings/2026-11-09.md',
    author: 'ada',
    content: `# Monday, 9 November

Ada, Ines, Jonas, Mara.

- The winter timetable goes out on 1 December; the printers need it a week before.
- Card readers: two of three survived a week of salt water. We take the ones of Nordvik.
- Mara tells the island council what changes for school children.
`,
  },
  {
    rowKey: 'meetings/2026-11-16.md',
    author: 'ada',
    content: `# Monday, 16 November

Ada, Ines, Mara. Jonas is at sea.

- Refunds work without a person since Thursday; eleven so far, all correct.
- The first readers are on the *Petrel*. The crew wants larger digits.
- Nobody misses the old boarding list. It is switched off on Friday.
`,
  },
  {
    rowKey: 'projects/winter-timetable/tasks.md',
    author: 'ines',
    content: `---
project: winter-timetable
---
# Winter timetable

- [x] Ask the skippers about the early ferry @mara due:2026-11-10
- [ ] Send the timetable to the printers @ines due:2026-11-20
- [ ] Put the new times into the booking system @jonas due:2026-11-27
- [ ] Tell the island council about school days @mara due:2026-11-24
- [ ] Change the signs at Kestrel Point @ada due:2026-12-01
`,
  },
  {
    rowKey: 'projects/card-payments/tasks.md',
    author: 'jonas',
    content: `---
project: card-payments
---
# Card payments on board

- [x] Try three readers for a week in salt water @jonas due:2026-11-06
- [ ] Order twelve readers from Nordvik @ada due:2026-11-25
- [ ] Larger digits on the reader's screen @ines due:2026-12-04 #crew
- [ ] Show the crew of the Petrel how to cancel a payment @mara due:2026-11-30 #crew
- [ ] Write down what happens without a network @jonas
`,
  },
  {
    rowKey: 'projects/tide-tables/brief.md',
    author: 'mara',
    content: `---
project: tide-tables
---
# Tide tables in the timetable

**Why:** skippers and regular passengers look at the water first. Without it our timetable is a guess.

**What:** the height of the water beside every departure, and a mark where the ferry may not go.

**Not now:** forecasts of wind and waves.
`,
  },
  {
    rowKey: 'projects/tide-tables/tasks.md',
    author: 'mara',
    content: `---
project: tide-tables
---
# Tide tables

- [x] Read the tides of all five ports every night @jonas due:2026-11-13
- [ ] Draw the height beside each departure @ines due:2026-12-09
- [ ] Agree with the harbour office on the mark for "may not go" @mara due:2026-12-02
`,
  },
];

/** What the team decided, by who wrote it. */
export const decisions: readonly (NewDecision & { author: string })[] = [
  {
    author: 'ada',
    title: 'Release on Tuesday mornings',
    body: 'Early ferries have left by 8:30, and everybody is there if something breaks.\n\nBefore, we released on Fridays and spent two weekends repairing.',
    audience: 'team',
    status: 'accepted',
    decidedOn: '2026-09-01',
  },
  {
    author: 'jonas',
    title: 'Take the card readers of Nordvik',
    body: '## What we looked at\n\nThree readers, a week each on the *Petrel*, in salt water.\n\n- **Nordvik** survived, and pays out the next day.\n- Corvus survived, but its screen cannot be read in the sun.\n- Halyard stopped on the second day.\n\n## What follows\n\n- [ ] Sign the contract @ada due:2026-11-27',
    audience: 'team',
    status: 'accepted',
    project: 'card-payments',
    decidedOn: '2026-11-09',
  },
  {
    author: 'mara',
    title: 'Show the tide beside every departure',
    body: 'Seven of nine skippers look at the water first. The timetable shows its height at the pier, in centimetres above chart datum.',
    audience: 'external',
    status: 'accepted',
    project: 'tide-tables',
    decidedOn: '2026-10-05',
  },
  {
    author: 'ines',
    title: 'Refund cancelled ferries without asking',
    body: 'When we cancel, the money goes back by itself within three working days. Nobody has to write to us.',
    audience: 'external',
    status: 'accepted',
    decidedOn: '2026-10-19',
  },
  {
    author: 'ines',
    title: 'One ferry less on winter Sundays',
    body: 'The 7:10 from Kestrel Point carried four people on an average Sunday last winter. We would leave it out from December to February.\n\nThe council has to agree, because of the school camp.',
    audience: 'team',
    status: 'proposed',
    project: 'winter-timetable',
  },
  {
    author: 'jonas',
    title: 'Keep bookings in one queue for all ferries',
    body: 'One queue was simple. One full ferry held up the other four.',
    audience: 'team',
    status: 'superseded',
    decidedOn: '2026-04-14',
  },
  {
    author: 'mara',
    title: 'Sell advertisements on the timetable',
    body: 'It would bring 300 € a month, and cost the trust that skippers have in the page.',
    audience: 'team',
    status: 'rejected',
    decidedOn: '2026-08-20',
  },
];

/** A question to this memory, and what a good model would write with the sources in the order of its citations. */
export const question = 'What do skippers look at before our timetable, and what do we do about it?';

/** The codebases that the team scans, with the state of its last commits, oldest first. */
export const codebases = [
  { slug: 'booking', levels: [34, 41, 41, 48, 55, 58, 66, 71] },
  { slug: 'timetable', levels: [22, 22, 30, 37, 37, 44] },
  { slug: 'board-reader', levels: [12, 18, 18, 25] },
];
