import { expect, test } from 'vitest';
import { type AnswerKind, answerKindOf, hasFormOf } from './answer-kind.ts';

test.for<[string, AnswerKind]>([
  ['who does payroll', 'person'],
  ['In which year was it founded?', 'time'],
  ['by when must it be renewed', 'time'],
  ['How long are backups kept?', 'amount'],
  ['what do all the servers cost per month', 'amount'],
  ['why no accounts?', 'reason'],
  ['how do I restore it', 'steps'],
  ['Where are the keys', 'place'],
  ['can we deploy on fridays', 'yes or no'],
  ['which servers do we have', 'list'],
  ['what power modes can I pick', 'list'],
  ['list the open points', 'list'],
  ['date of the retention policy', 'time'],
  ['what is a linkspan', 'other'],
  ['fire warden', 'other'],
  ['Wer ist für die Abrechnung zuständig?', 'person'],
  ['Bis wann muss die Reisekostenabrechnung eingereicht werden?', 'time'],
  ['Wie viele Tage Urlaub haben wir im Jahr?', 'amount'],
  ['Wie lange werden die Sicherungen aufbewahrt?', 'amount'],
  ['Qui est responsable de la paie ?', 'person'],
  ['Depuis quand le contrat est-il en vigueur ?', 'time'],
  ['¿Por qué no tenemos cuentas en la nube?', 'reason'],
])('%s asks for: %s', ([question, kind]) => {
  expect(answerKindOf(question)).toBe(kind);
});

test.for<[AnswerKind, string, string]>([
  ['person', 'The fire warden is Ada.', 'The fire warden is away.'],
  ['time', 'It ends on 3 March.', 'It ends soon.'],
  ['time', 'Handover is at 10:00.', 'Handover is by voice.'],
  ['amount', 'Kept for 35 days.', 'Kept for long.'],
  ['reason', 'It failed because the disk was full.', 'It failed twice.'],
  ['place', 'The runbook is in docs/restore.md.', 'The runbook is old.'],
  ['yes or no', 'We never deploy on Fridays.', 'We deploy.'],
  ['steps', '1. Stop it.', 'Stop it.'],
  ['list', 'Languages: German, Danish, French.', 'Languages differ, mostly.'],
])('the form of an answer for %s: %j rather than %j', ([kind, answer, other]) => {
  expect([hasFormOf(kind, answer), hasFormOf(kind, other)]).toEqual([true, false]);
});
