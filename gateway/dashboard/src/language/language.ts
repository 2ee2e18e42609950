import type { ComponentChildren } from 'preact';
import type { Catalogue } from './catalogue.ts';

type Plain = Readonly<Record<string, string | number>>;
/** What stands in the places of a text; a function makes an element of the words between `<name>` and `</name>`. */
type Rich = Readonly<Record<string, ComponentChildren | ((words: ComponentChildren) => ComponentChildren)>>;

/** The first language of the browser that the dashboard speaks, such as `de-AT`; for dates and numbers as well. */
export const locale = navigator.languages.find((tag) => /^(?:en|de)\b/i.test(tag)) ?? 'en';
/** The language of all texts. */
export const language = locale.slice(0, 2).toLowerCase() as 'en' | 'de';

const numbers = new Intl.NumberFormat(locale);
const numberForms = new Intl.PluralRules(locale);
/** `{name}`, or words between `<name>` and `</name>`. */
const places = /\{(\w+)\}|<(\w+)>(.*?)<\/\2>/g;

let catalogue: Catalogue = {};
let isWhole = language === 'en';

/** Loads the texts of the first view. Where that fails, the dashboard speaks English. */
export async function loadFirstTexts(): Promise<void> {
  if (isWhole) return;
  catalogue = await import('./german/first-view.ts').then(
    ({ firstView }) => firstView,
    () => ({}),
  );
}

/** Loads the texts of what is shown after the first view. */
export async function loadTexts(): Promise<void> {
  if (isWhole) return;
  const { german } = await import('./german/german.ts');
  catalogue = { ...catalogue, ...german };
  isWhole = true;
}

/**
 * Returns a text of the dashboard in the language of its reader. The English text is its name in the catalogue. Values
 * stand in its places: `t('By {author}', { author })`, `t('See <link>the log</link>', { link: (words) => <a>{words}</a> })`.
 */
export function t(text: string, values?: Plain): string;
export function t(text: string, values: Rich): ComponentChildren;
export function t(text: string, values: Rich = {}): ComponentChildren {
  const found = catalogue[text] ?? text;
  return filled(typeof found === 'string' ? found : found[1], values);
}

/** Returns the text for a number, whose place is `{count}`. The second text is its name in the catalogue. */
export function plural(count: number, one: string, other: string, values?: Plain): string;
export function plural(count: number, one: string, other: string, values: Rich): ComponentChildren;
export function plural(count: number, one: string, other: string, values: Rich = {}): ComponentChildren {
  const found = catalogue[other] ?? [one, other];
  const form = numberForms.select(count) === 'one' ? 0 : 1;
  return filled(typeof found === 'string' ? found : found[form], { count, ...values });
}

/** Writes a number as its reader does, `1,200` or `1.200`; with so many digits behind the point, if they are given. */
export function numberText(value: number, digits?: number): string {
  if (digits === undefined) return numbers.format(value);
  return value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Returns a string where every value is text, else the parts of the text. */
function filled(text: string, values: Rich): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: place, 1: name, 2: tag, 3: words = '', index } of text.matchAll(places)) {
    const value = values[name ?? tag ?? ''];
    parts.push(text.slice(end, index));
    if (typeof value === 'function') parts.push(value(filled(words, values)));
    else parts.push(typeof value === 'number' ? numberText(value) : value);
    end = index + place.length;
  }
  parts.push(text.slice(end));
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
}
