import { isCalendarDay, isSlug } from '@teammemory/vocabulary/formats.ts';
import { taskOwnerPattern } from '@teammemory/vocabulary/task.ts';
import { t } from '../../language/language.ts';
import { Problem } from '../../service/problem.ts';
import type { Task } from './task-groups.ts';

/** What a person changes of a task. An empty text takes an owner, a day or a project away. */
export interface TaskEdit {
  status?: 'open' | 'done';
  owner?: string;
  due?: string;
  project?: string;
}

/** The names of what a word of a task's line can say. */
type Attribute = 'owner' | 'due' | 'project';
const signs: Readonly<Record<Attribute, string>> = { owner: '@', due: 'due:', project: '+' };

const lineWithEnd = /([^\r\n]*)(\r\n?|\n|$)/g;
/** What stands before the box: quotes, indentation and the bullets or numbers of lists. */
const box = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)\[([ \txX-])\](?=[ \t]|$)/;
/** No line of a list is longer; one that was made to be slow could be. */
const maxLineCharacters = 4_096;

/** Says what is wrong with a value of a task, undefined if nothing is. */
export function attributeFault(attribute: Attribute, value: string): string | undefined {
  if (value === '') return undefined;
  if (attribute === 'owner') {
    return taskOwnerPattern.test(value)
      ? undefined
      : t('An owner is a name of letters, digits and . _ -, without blanks.');
  }
  if (attribute === 'due') return isCalendarDay(value) ? undefined : t('There is no such day.');
  return isSlug(value) ? undefined : t('A project is named by its slug: small letters, digits and hyphens.');
}

/**
 * Edits the line of a task in its text; every other byte stays. `task` is as the service reads this very text.
 * @throws Problem where the line is no task of this kind, or says what is to be changed on another line.
 */
export function withEditedTask(text: string, task: Task, edit: TaskEdit): string {
  let number = 0;
  let isFound = false;
  const edited = text.replace(lineWithEnd, (whole, line: string, end: string) => {
    number += 1;
    if (number !== task.source.line || isFound) return whole;
    isFound = true;
    return editedLine(line, task, edit) + end;
  });
  if (!isFound) throw elsewhere();
  return edited;
}

function editedLine(line: string, task: Task, edit: TaskEdit): string {
  const [found, before = '', mark = ''] = line.length > maxLineCharacters ? [] : (box.exec(line) ?? []);
  // The box of another task says something else, if the text is not the one that the task was read of.
  if (found === undefined || statusOf(mark) !== task.status) throw elsewhere();
  const isDone = task.status === 'done';
  const isWanted = edit.status === undefined || (edit.status === 'done') === isDone;
  const kept = isWanted && (edit.status === undefined || mark !== '-');
  const next = kept ? mark : edit.status === 'done' ? 'x' : ' ';
  let rest = line.slice(found.length);
  for (const attribute of ['owner', 'due', 'project'] as const) {
    const value = edit[attribute];
    if (value !== undefined && value !== (task[attribute] ?? '')) {
      rest = withAttribute(rest, attribute, task[attribute], value);
    }
  }
  return `${before}[${next}]${rest}`;
}

function statusOf(mark: string): Task['status'] {
  if (mark === '-') return 'cancelled';
  return mark.toLowerCase() === 'x' ? 'done' : 'open';
}

function withAttribute(rest: string, attribute: Attribute, present: string | null, value: string): string {
  const sign = signs[attribute];
  const place = present === null ? undefined : placeOf(rest, sign + present);
  if (place === undefined) {
    // A task that names no project has that of its file.
    if (present !== null && attribute !== 'project') throw elsewhere();
    if (value === '')
      throw new Problem('invalid_request', t('The project comes from the file that the task stands in.'));
    const end = rest.replace(/[ \t]*\\?[ \t]*$/, '').length;
    return `${rest.slice(0, end)} ${sign}${value}${rest.slice(end)}`;
  }
  const { from, to } = place;
  if (value !== '') return rest.slice(0, from) + sign + value + rest.slice(to);
  const blank = from > 1 && /[ \t]/.test(rest.charAt(from - 1)) ? 1 : 0;
  return rest.slice(0, from - blank) + rest.slice(to);
}

/** Where a word stands, outside of code. Signs of a sentence may follow it. */
function placeOf(text: string, word: string): { from: number; to: number } | undefined {
  const read = text.replace(/(`+)[^`]*\1/g, (code) => ' '.repeat(code.length));
  for (const { index, 0: found } of read.matchAll(/\S+/g)) {
    if (found.replace(/[.,;:!?)]{1,8}$/, '') === word) return { from: index, to: index + word.length };
  }
  return undefined;
}

/** Adds a task at the end of a text, with the line ends that the text has. */
export function withNewTask(text: string, line: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const isEnded = text === '' || text.endsWith('\n');
  return `${text}${isEnded ? '' : end}${line}${end}`;
}

/** The line of a new task. */
export function taskLine(title: string, { owner = '', due = '', project = '' }: TaskEdit): string {
  const words = { owner, due, project };
  const said = (['owner', 'due', 'project'] as const).filter((attribute) => words[attribute] !== '');
  return ['- [ ]', title.trim(), ...said.map((attribute) => signs[attribute] + words[attribute])].join(' ');
}

function elsewhere(): Problem {
  return new Problem('invalid_request', t('This task is not written on one line. Change it in its text.'));
}
