import { expect, test } from 'vitest';
import { indexInMemory } from '../../search-index/search-index.fixture.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import { relevanceOf } from './relevance.ts';

const notes = [
  'Jobs wait in the queue for RabbitMQ, which retries each job three times.',
  'The refund policy for customers: support pays back up to 200 euros, also for British customers.',
  'Our office in Italy opened last week.',
  'Release 4.2 brought the export. Release 5 will follow, and room 0 is free.',
  'Belege für Reisen sind im Portal einzureichen.',
];

/** What an answer from these notes says it lacks. */
function missing(question: string, texts: readonly string[] = notes) {
  const index = indexInMemory();
  for (const [position, text] of texts.entries())
    index.apply(itemPassages(position + 1, text, { title: '' }));
  const relevance = relevanceOf(index.view('team').search(question, 10));
  return { answers: relevance.passages.length > 0, words: relevance.missing };
}

test.each([
  ['Do jobs wait in the queue for Kafka, and how many retries?', 'Kafka'],
  ['Do jobs wait in the queue for SQS, and how many retries?', 'SQS'],
  ['Do jobs wait in the queue for job_runner, and how many retries?', 'job_runner'],
  ['Do jobs wait in the queue for kubernetes, and how many retries?', 'kubernetes'],
])('a name or rare word that no note has is missing: %s', (question, word) => {
  expect(missing(question).words).toMatchObject([{ word }]);
});

test.each([
  ['What is the refund policy for customers in Italy?', 'a name that another note has'],
  ['Is there a failover of jobs in the queue?', 'a word that stands parted'],
  ['Do the rabbit MQ jobs wait in the queue?', 'words that stand joined'],
  ['Refund vs export in release 5?', 'an abbreviation'],
])('nothing is said to be missing of what some note has in another form: %s (%s)', (question) => {
  const texts = [...notes, 'Fail over to the second site.'];
  expect(missing(question, texts).words).toEqual([]);
});

test.each([
  ['What did the Italians open in our office last week?', 'another form of a name'],
  ['Which jobs does RabitMQ retry in the queue?', 'a slip of the pen'],
  ['How thoroughly do jobs wait in the queue before three retries?', 'an everyday word'],
  ['What Is The Refund Policy For Splendid Customers?', 'a word of a headline'],
  ['Wann sind Belege für Reisen im Portal einzureichen und aufzubewahren?', 'another language'],
  [
    'Wo sind Belege für Dienstreisen mit der Bahn im Portal einzureichen?',
    'a language with capitals for nouns',
  ],
  [
    'Do jobs stand by in the queue of the message broker RabbitMQ, and how many attempts?',
    'other words for the same',
  ],
])('nothing is missing in %s: %s', (question) => {
  expect(missing(question)).toEqual({ answers: true, words: [] });
});

test('where most of the question is missing nothing is answered', () => {
  expect(missing('Is Solvane or Meridian or Contoso in a queue?')).toMatchObject({ answers: false });
});

test('a title, a path and fields count as mentions', () => {
  const index = indexInMemory();
  const text = 'Writes wait for the vote of the majority, then go on.';
  const fields = {
    date: '2025-03-01',
    status: 'accepted',
    isOutdated: false,
    project: 'zephyr',
    owner: '',
    tags: [],
  };
  index.apply({ ...itemPassages(1, text, { title: 'Raft' }), fields });
  const words = (question: string) => relevanceOf(index.view('team').search(question, 10)).missing;
  expect(words('Do writes of Raft wait for a majority vote?')).toEqual([]);
  expect(words('Do writes of Zephyr wait for a majority vote since 2025?')).toEqual([]);
});

test('a question of nothing but names takes time linear in its length', () => {
  const question = (length: number) => 'Aa.Bb_C1 '.repeat(length / 9).slice(0, length);
  const started = performance.now();
  for (let turn = 0; turn < 20; turn += 1) missing(question(4_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});
