import type { Days } from '../dates/calendar.ts';
import { datesIn } from '../dates/dates-in.ts';
import { type Fields, fullDay, namedDay, shortLine } from './fields.ts';
import { isInOutdatedFolder, isOutdatedStatus } from './outdated.ts';

/** Members of front matter that are looked at, and parts of one that is a list. */
const maxMembers = 200;
const maxParts = 10;
const maxStatusLength = 40;
const maxOwnerLength = 80;
const maxProjectLength = 64;
const maxTagLength = 40;
const maxPartLength = 200;
/** Characters of a value, or of the end of a path, in which a day is looked for. */
const maxDateLength = 200;
const dayForm = /^\d{4}-\d\d-\d\d/;

/** Names of members by what they say, in the order in which they are trusted; without case, blanks, `-` and `_`. */
const memberNames = {
  date: 'updated updatedat updatedon lastupdated lastupdate lastmod modified lastmodified lastreviewed reviewed date datum fecha data decidedon decided published publishedat created createdat createdon',
  status: 'status state stage',
  project: 'project projekt projet proyecto progetto projeto',
  owner:
    'owner owners owned ownedby maintainer maintainers responsible lead verantwortlich zuständig responsable',
  tags: 'tags tag keywords labels topics',
  successor: 'supersededby replacedby obsoletedby deprecatedby ersetztdurch remplacépar',
  outdated: 'archived deprecated obsolete outdated superseded retired veraltet archiviert',
};

/**
 * What an item says of itself by its front matter, which may hold anything, and
 * by its place: the project of `projects/<slug>/`, the day of its file name or
 * folders, and that it is archived. `changedOn` is the day of its last change;
 * its date where it names none.
 */
export function fieldsOfItem(item: { rowKey: string; frontmatter: unknown; changedOn: string }): Fields {
  const members = membersOf(item.frontmatter);
  const first = (names: string) =>
    names
      .split(' ')
      .flatMap((name) => partsOf(members.get(name)))
      .at(0) ?? '';
  const all = (names: string) =>
    names
      .split(' ')
      .map((name) => partsOf(members.get(name)))
      .find((parts) => parts.length > 0) ?? [];
  const isMarked = memberNames.outdated.split(' ').find((name) => members.get(name) === true);
  const isReplaced = first(memberNames.successor) !== '';
  const isArchived = isInOutdatedFolder(item.rowKey);
  const stated = shortLine(first(memberNames.status).toLowerCase(), maxStatusLength);
  const status = stated || isMarked || (isReplaced && 'superseded') || (isArchived && 'archived') || '';
  const days = namedInFrontMatter(members) ?? daysIn(pathWithoutExtension(item.rowKey));
  return {
    ...dateOfDays(days),
    ...(days === undefined && item.changedOn !== '' && { date: item.changedOn, isDatedByChange: true }),
    status,
    isOutdated: isOutdatedStatus(status) || isMarked !== undefined || isReplaced || isArchived,
    project: shortLine(first(memberNames.project) || projectOf(item.rowKey), maxProjectLength),
    owner: shortLine(all(memberNames.owner).join(', '), maxOwnerLength),
    tags: all(memberNames.tags).flatMap(tagsIn).slice(0, maxParts),
  };
}

/** The days that a text names first: one, or those of a week, month or longer; undefined where it names none. */
export function daysIn(text: string): Days | undefined {
  return datesIn(text.slice(0, maxDateLength))[0];
}

/** The date of fields that these days give: the first of them. */
export function dateOfDays(days: Days | undefined): Pick<Fields, 'date' | 'isDatedByPeriod'> {
  const { from = '', to = '' } = days ?? {};
  return { date: from, ...(from !== to && { isDatedByPeriod: true }) };
}

function namedInFrontMatter(members: ReadonlyMap<string, unknown>): Days | undefined {
  for (const name of memberNames.date.split(' ')) {
    const [written = ''] = partsOf(members.get(name));
    const days = daysIn(dayForm.exec(written)?.[0] ?? written);
    if (days !== undefined) return days;
  }
  return undefined;
}

/** Members of front matter by their names; the first of those that are spelt alike. */
function membersOf(frontmatter: unknown): Map<string, unknown> {
  const members = new Map<string, unknown>();
  if (typeof frontmatter !== 'object' || frontmatter === null || Array.isArray(frontmatter)) return members;
  for (const [name, value] of Object.entries(frontmatter).slice(0, maxMembers)) {
    const plain = name
      .slice(0, maxTagLength)
      .toLowerCase()
      .replace(/[\s_-]/g, '');
    if (!members.has(plain)) members.set(plain, value);
  }
  return members;
}

/** Texts and numbers that a member has, as lines; none of what is empty or of another type. */
function partsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value.slice(0, maxParts) : [value];
  return values.flatMap((each) => {
    const text = typeof each === 'number' ? String(each) : typeof each === 'string' ? each : '';
    const line = shortLine(text, maxPartLength);
    return line === '' ? [] : [line];
  });
}

function tagsIn(part: string): string[] {
  const tags = part.split(/[,;#]/).map((tag) => shortLine(tag, maxTagLength));
  return tags.filter((tag) => tag !== '');
}

function projectOf(rowKey: string): string {
  return /(?:^|\/)projects\/([^/]+)\//.exec(rowKey)?.[1] ?? '';
}

/** The end of a path, as far as it is looked at. */
function pathWithoutExtension(rowKey: string): string {
  return rowKey.replace(/\.[a-z0-9]{1,5}$/i, '').slice(-maxDateLength);
}

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

/** Returns the fields as a line for readers, `owner: mara · status: draft`; '' if there are none. */
export function fieldLine(fields: Fields): string {
  const { project, owner, status, tags } = fields;
  const said = { project, owner, status, date: fullDay(fields), tags: tags.join(', ') };
  return Object.entries(said)
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
    .join(' · ');
}
