import { type Days, datesIn } from '../dates/dates-in.ts';
import { isInOutdatedFolder, isOutdatedStatus, isTitledOutdated, saysOutdated } from './outdated.ts';
import { type Fields, fullDay, namedDay, shortLine } from './passage.ts';

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
function daysIn(text: string): Days | undefined {
  return datesIn(text.slice(0, maxDateLength))[0];
}

/** The date of fields that these days give: the first of them. */
function dateOfDays(days: Days | undefined): Pick<Fields, 'date' | 'isDatedByPeriod'> {
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

/** Metadata is looked for in the first lines of a text only. */
const maxLines = 10;
const maxLineLength = 200;
/** Longer lines, and those that end like a sentence, are no titles. */
const maxTitleLength = 100;
const atxHeading = /^ {0,3}#{1,6}[ \t]/;
const label = (names: string) =>
  new RegExp(`^[\\s>*_(|-]{0,8}(?:${names})[*_]{0,2}\\s?[:：]?[*_]{0,2}\\s+`, 'iu');
const dateLabel = label(
  'date|datum|fecha|data|updated|last (?:updated?|changed?|modified|reviewed)|as of|stand|zuletzt geändert|mise à jour|version of',
);
/** A list item or a row says something of itself, not of the whole text. */
const itemOrRow = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]|\|)/;
/** Little beside a day: a place, a weekday, brackets. */
const maxBesideDay = 24;

/**
 * Adds to fields what the first ten lines of a text say of all of it, where the
 * fields say nothing: the day of its title, of a `Date:` line, or of a line that
 * is nothing but a day; and that it was superseded or the like. A status comes from fields only: `Status: accepted` in a
 * text is what somebody wrote there.
 */
export function withTextFields(fields: Fields, title: string, content: string): Fields {
  const lines = firstLines(content);
  const [first = ''] = lines;
  const heading = lines.find((line) => atxHeading.test(line)) ?? (isTitle(first) ? first : '');
  const isDated = fields.date !== '' && !fields.isDatedByChange;
  const days = isDated ? undefined : (daysIn(heading) ?? daysIn(title) ?? daysOfLines(lines));
  const isOutdated =
    fields.isOutdated || isTitledOutdated(title) || isTitledOutdated(heading) || lines.some(saysOutdated);
  if (days === undefined) return { ...fields, isOutdated };
  const { isDatedByChange: _, isDatedByPeriod: __, ...others } = fields;
  return { ...others, ...dateOfDays(days), isOutdated };
}

/** Those that are not blank, each as far as it is looked at; none of what stands behind the second heading. */
function firstLines(content: string): string[] {
  const lines = content.slice(0, maxLines * maxLineLength).split('\n');
  const shown = lines.filter((line) => line.trim() !== '').map((line) => line.slice(0, maxLineLength));
  const second = shown.findIndex((line, index) => index > 0 && atxHeading.test(line));
  return shown.slice(0, second < 0 ? maxLines : Math.min(second, maxLines));
}

function isTitle(line: string): boolean {
  return line.length <= maxTitleLength && !/[.!?:]\s*$/.test(line) && !itemOrRow.test(line);
}

function daysOfLines(lines: readonly string[]): Days | undefined {
  for (const line of lines) {
    const isLabelled = dateLabel.test(line);
    const days = daysIn(line);
    const isAlone = line.trim().length <= maxBesideDay && !itemOrRow.test(line);
    if (days !== undefined && (isLabelled || isAlone)) return days;
  }
  return undefined;
}
