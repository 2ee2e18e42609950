import { expect, test } from 'vitest';
import { createTeamIndex } from '../index/team-index.ts';
import { itemPassages } from '../passages/passages.fixture.ts';
import type { Findings } from '../views/view-index.ts';
import { candidatesIn } from './candidates.ts';
import { chooseUnits } from './choosing.ts';
import { sectionsOf } from './sections.ts';

/** A paragraph that makes a section too long to be shown whole. */
const padding = `${'The harbour is cold in winter and nobody swims there. '.repeat(12)}\n\n`;

function choose(findings: Findings) {
  const sections = sectionsOf(findings.passages, findings);
  return chooseUnits(
    sections.flatMap((section) => candidatesIn(section, findings)),
    findings.question,
  );
}

/** The units chosen for a question from items of these texts, in the order of the texts. */
function chosen(texts: readonly string[], question: string): string[] {
  const index = createTeamIndex();
  for (const [position, text] of texts.entries()) index.apply(itemPassages(position + 1, text));
  const findings = index.view('team').search(question, 5);
  const inOrder = choose(findings).sort(
    (left, right) =>
      left.hit.passage.rowKey.localeCompare(right.hit.passage.rowKey) || left.start - right.start,
  );
  return inOrder.map(({ section, start, end }) => section.text.slice(start, end));
}

/** The unit that most probably answers, of these texts with padding before and behind each. */
function best(texts: readonly string[], question: string): string | undefined {
  const index = createTeamIndex();
  for (const [position, text] of texts.entries())
    index.apply(itemPassages(position + 1, `${padding}${text}\n\n${padding}`));
  const [unit] = choose(index.view('team').search(question, 5));
  return unit?.section.text.slice(unit.start, unit.end);
}

const rota = ['2 May', '9 May', '16 May', '23 May', '30 May'];
const rows = rota.map(
  (week, place) => `| ${week} | ${['Ada', 'Bo', 'Cy'][place % 3]} is on call with the pager |`,
);
const rotaTable = `| Week | Who |\n|---|---|\n${rows.join('\n')}\n${rows.join('\n').replaceAll('May', 'June')}`;

test('the sentence that adds what title and headings do not say comes before one that repeats them', () => {
  const text = `# Backups\n\nBackups are copies. ${padding}${padding}Kept for ninety days.`;
  expect(best([text], 'How long are backups kept?')).toBe('Kept for ninety days.');
});

test.for([
  ['Who restores backups?', 'Backups are restored by Ada Byron.', 'Backups are restored on request.'],
  ['When are backups restored?', 'Backups are restored on 3 March.', 'Backups are restored on request.'],
  ['How many backups are kept?', 'Backups are kept: 14 of them.', 'Backups are kept in the cellar.'],
  [
    'Why are backups encrypted?',
    'Backups are encrypted because disks get lost.',
    'Backups are encrypted twice.',
  ],
])('%s prefers what has the form of an answer', ([question = '', answer = '', other = '']) => {
  expect(best([other, answer], question)).toBe(answer);
});

test('one fact asked for from a table is one row, a list asked for is the whole table', () => {
  expect(chosen([padding + rotaTable], 'who has the pager on 23 June')).toEqual([
    '| 23 June | Ada is on call with the pager |'.replace('Ada', rows[3]?.split(' ')[4] ?? ''),
  ]);
  expect(chosen([padding + rotaTable], 'list who is on call with the pager')).toHaveLength(10);
});

test('steps are shown whole and never all but one, also where code stands between them', () => {
  const steps =
    '1. Stop the sender\n2. Look:\n   ```\n   depth sms\n   ```\n3. Start the sender again\n4. Tell Ada';
  const found = chosen([`# Storm\n\n${padding}${steps}`], 'how to stop the sender in a storm');
  expect(found.join('\n')).toBe(steps);
});

test('of steps that are too long the first ones are shown', () => {
  const steps = Array.from(
    { length: 12 },
    (_, place) =>
      `${place + 1}. Turn the valve number ${place + 1} of the boiler until the gauge in the cellar shows a value that is lower than before`,
  );
  const found = chosen([steps.join('\n')], 'how to turn the valves of the boiler');
  expect(found).toEqual(steps.slice(0, found.length));
  expect(found.length).toBeGreaterThan(3);
});

test('a list that goes on in the next passage is shown whole', () => {
  const intro = `${'The cellar is cold and dark all year. '.repeat(30)}\n\nThe pumps of the boiler:\n\n`;
  const pumps = Array.from({ length: 12 }, (_, place) => `- pump ${place} of the boiler, by the wall`);
  const found = chosen([intro + pumps.join('\n\n')], 'which pumps has the boiler');
  expect(found.filter((unit) => unit.startsWith('- pump'))).toHaveLength(12);
});

test('of a glossary only the word asked for is shown', () => {
  const words = ['Berth', 'Block', 'Hold', 'Linkspan', 'Quay', 'Ramp', 'Slip', 'Wharf'];
  const glossary = words.map(
    (word) => `- **${word}**: something of a harbour that is not explained any further`,
  );
  expect(chosen([glossary.join('\n')], 'what is a linkspan')).toEqual([glossary[3]]);
});

test('a sentence that begins with a pronoun comes with the one before it', () => {
  const text = `${padding}The cache is called Otter. It was moved to Kiel in May. Nobody noticed.\n\n${padding}`;
  expect(chosen([text], 'when was it moved to Kiel')).toEqual([
    'The cache is called Otter.',
    'It was moved to Kiel in May.',
  ]);
});

test('why is answered with the sentence behind the one that it asks about', () => {
  const text = `${padding}Someone wants passenger accounts. The link is enough. Lunch is at noon.\n\n${padding}`;
  expect(chosen([text], 'why no passenger accounts')).toEqual([
    'Someone wants passenger accounts.',
    'The link is enough.',
  ]);
});

test('what has no word of its own beside a shown quote is left out', () => {
  const texts = [
    'Fire warden: Pelle.',
    'The fire warden is Pelle, and the first aider is Ada.',
    'Fire warden:\nPelle!',
  ];
  expect(chosen(texts, 'fire warden').filter((text) => text.startsWith('Fire'))).toHaveLength(1);
});

test('an answer is short where one place stands out, and has more where many are as good', () => {
  const clear = chosen(
    [`${padding}The wifi password is on the door.\n\n${padding}`, `${padding}No wifi.`],
    'wifi password',
  );
  expect(clear).toHaveLength(1);
  const notes = ['Ada', 'Bo', 'Cy', 'Di'].map(
    (name) => `${padding}${name} knows the wifi password.\n\n${padding}`,
  );
  expect(chosen(notes, 'wifi password')).toHaveLength(4);
});

test('an answer stays below a thousand characters, but for one mark', () => {
  const paragraph = 'The boiler of the house has a valve that is turned. '.repeat(8);
  const texts = Array.from({ length: 5 }, (_, place) => `Note ${place}. ${paragraph}`);
  const length = chosen(texts, 'boiler valve turned').join('').length;
  expect(length).toBeLessThan(1_000);
});

test('two or three words that are not asked for are no answer', () => {
  const text = `# Backups\n\nLast revision\n\n${padding}Backups are restored by Ada Byron.\n\n${padding}`;
  expect(chosen([text], 'how are backups restored')).not.toContain('Last revision');
});

test('a section whose heading says what is asked for is shown from its beginning', () => {
  const text = `# Hide a file\n\nMake it invisible. ${'The manager lists what it finds in a folder. '.repeat(8)}\n\nPut a dot before its name.`;
  const found = chosen([text, padding], 'how do i hide a file');
  expect([found[0], found.at(-1)]).toEqual(['Make it invisible.', 'Put a dot before its name.']);
});

test('code has the words of a question and its figures by chance, and stands behind the sentence with the figure', () => {
  const code = '```js\nconst body = { size: 3000, limit: 10 }\n```';
  const prose = 'A body may have 1048576 bytes.';
  expect(best([`${code}\n\n${padding}${prose}`], 'how many bytes may the body have by size limit')).toBe(
    prose,
  );
});

test('what announces something that is not there is no answer', () => {
  const text = `# Backups\n\n${padding}Backups are restored by Ada Byron.\n\n${padding}Restored backups, in order:`;
  expect(chosen([text], 'how are backups restored')).not.toContain('Restored backups, in order:');
});
