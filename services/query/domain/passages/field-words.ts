import { type Fields, namedDay } from './fields.ts';
import { pathWithoutExtension } from './item-fields.ts';

/** What people call a field when they ask for it; the words of a field are found by these. */
const askedBy: Record<'owner' | 'status' | 'date' | 'project', string> = {
  owner: 'owner owns responsible verantwortlich zuständig responsable',
  status: 'status',
  date: 'date datum',
  project: 'project',
};
const hasLetters = /\p{L}{2}/u;

/** The words of a path; numbers, which are days and counts, are left out. */
export function wordsOfPath(rowKey: string): string {
  const names = pathWithoutExtension(rowKey).split(/[/_.\s-]+/);
  return names.filter((name) => hasLetters.test(name)).join(' ');
}

/** The words by which people ask for what an item's fields say. */
export function wordsOfFields(fields: Fields): string {
  const { owner, status, project } = fields;
  const said = { owner, status, date: namedDay(fields), project };
  return Object.entries(said)
    .flatMap(([name, value]) => (value === '' ? [] : [askedBy[name as keyof typeof said]]))
    .join(' ');
}

/** The fields as a line that a reader understands, `owner: mara · status: draft`; '' where there is nothing to say. */
export function fieldLine(fields: Fields): string {
  const { project, owner, status, tags } = fields;
  const said = { project, owner, status, date: namedDay(fields), tags: tags.join(', ') };
  return Object.entries(said)
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
    .join(' · ');
}
