import type { Days } from '../dates/calendar.ts';
import type { Fields } from './fields.ts';
import { dateOfDays, daysIn } from './item-fields.ts';
import { isTitledOutdated, saysOutdated } from './outdated.ts';

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
