import { isCalendarDay } from '@teammemory/vocabulary/calendar-day.ts';
import { isSlug } from '@teammemory/vocabulary/slug.ts';

/** Tags kept of one task; more stay in its title. */
const tagsMax = 20;

const owner = /^@([\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,62}[\p{L}\p{N}])?)$/u;
// A number alone is an issue of some tracker.
const tag = /^#(?!\p{N}+$)([\p{L}\p{N}_](?:[\p{L}\p{N}_/-]{0,62}[\p{L}\p{N}_])?)$/u;

/** What the words of a task's text say about it. */
export interface TaskAttributes {
  owner: string | null;
  /** YYYY-MM-DD, a day that exists. */
  due: string | null;
  project: string | null;
  tags: string[];
}

/**
 * Takes `@name`, `due:YYYY-MM-DD`, `#tag` and `+project` out of a text, into
 * `attributes`, and answers what is left. Of owner, day and project the first
 * one counts; whatever is no good value, or comes again, stays text.
 */
export function takeAttributes(text: string, attributes: TaskAttributes): string {
  return text.replace(/\S+/g, (word) => {
    const name = word.replace(/[.,;:!?)]{1,8}$/, '');
    return takeWord(name, attributes) ? '' : word;
  });
}

function takeWord(word: string, attributes: TaskAttributes): boolean {
  const name = owner.exec(word)?.[1];
  if (name !== undefined && attributes.owner === null) {
    attributes.owner = name;
    return true;
  }
  const label = tag.exec(word)?.[1];
  if (label !== undefined && attributes.tags.length < tagsMax) {
    if (!attributes.tags.includes(label)) attributes.tags.push(label);
    return true;
  }
  const day = word.startsWith('due:') ? word.slice(4) : '';
  if (attributes.due === null && isCalendarDay(day)) {
    attributes.due = day;
    return true;
  }
  const slug = word.startsWith('+') ? word.slice(1) : '';
  if (attributes.project === null && isSlug(slug)) {
    attributes.project = slug;
    return true;
  }
  return false;
}
