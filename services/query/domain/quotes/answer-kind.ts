import { type Language, languageOf } from '../text/languages.ts';
import { type QuestionKind, questionWords } from '../text/question-words.ts';

/** The kind of answer that a question asks for. */
export type AnswerKind =
  | 'person'
  | 'time'
  | 'amount'
  | 'reason'
  | 'steps'
  | 'place'
  | 'yes or no'
  | 'list'
  | 'other';

/** The kinds of answer that questions of a kind have; those for what, in a language whose nouns are not known, may have any. */
const answersTo: Record<QuestionKind, AnswerKind> = {
  ...{ who: 'person', when: 'time', where: 'place', why: 'reason', how: 'steps', what: 'other' },
  ...{ 'how many': 'amount', 'yes or no': 'yes or no' },
};

/** More words that tell the kind of answer, of one language. */
interface AnswerWords {
  /** Behind a word that asks "how": what makes it one for an amount. */
  degrees: readonly string[];
  /** Words that ask which of several things; the noun behind them tells the kind. */
  choosing: readonly string[];
  /** Nouns that name a kind of answer. */
  nouns: Readonly<Record<string, AnswerKind>>;
  /** Words that a question for yes or no begins with. */
  verbs: readonly string[];
  /** Words that ask for all there is. */
  listing: readonly string[];
}

const english: AnswerWords = {
  degrees: 'big far fast high large late long low many much often old small soon'.split(' '),
  choosing: ['what', 'which'],
  nouns: {
    ...kinds('time', 'date day deadline decade century month period time week weekday year'),
    ...kinds(
      'amount',
      'age amount cost costs count fee limit number percentage percent price rate size sum total',
    ),
    ...kinds('person', 'person people'),
    ...kinds('reason', 'cause reason'),
    ...kinds('place', 'address city continent country directory file folder path place town url'),
    ...kinds('steps', 'procedure steps'),
  },
  verbs: 'am are can could did do does had has have is may might must shall should was were will would'.split(
    ' ',
  ),
  listing: ['all', 'every', 'list'],
};

/** Words between "which" or "what is" and the noun that tells what is asked for. */
const maxWordsToOwnNoun = 3;
const maxWordsToNoun = 7;
/** What stands behind a noun that is asked for, where no verb does. */
const pronouns = /^(?:i|we|you|they|he|she|it|there|does|come|exist|belong)$/;
/** A question of nothing but a few words: "date of the data retention policy". */
const maxWordsOfPhrase = 8;
/** Words of a question that are looked at from its beginning: what is asked stands there, or behind a short phrase. */
const maxWords = 400;

function kinds(kind: AnswerKind, nouns: string): Record<string, AnswerKind> {
  return Object.fromEntries(nouns.split(' ').map((noun) => [noun, kind]));
}

const wordsByLanguage = new Map<Language, ReadonlyMap<string, readonly AskingWords[]>>();

/** A form of words that asks. */
interface AskingWords {
  words: readonly string[];
  kind: AnswerKind;
}

/** By their first word the forms that ask in a language, longer ones first; made when they are first asked for. */
function askingWords(language: Language): ReadonlyMap<string, readonly AskingWords[]> {
  const known = wordsByLanguage.get(language);
  if (known !== undefined) return known;
  const forms = questionWords[language].flatMap(([kind, listed]) =>
    listed.split(', ').map((form) => ({ words: wordsOf(form), kind: answersTo[kind] })),
  );
  const longestFirst = forms.sort((left, right) => right.words.length - left.words.length);
  const made = Map.groupBy(longestFirst, ({ words: [first = ''] }) => first);
  wordsByLanguage.set(language, made);
  return made;
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu)
      ?.slice(0, maxWords) ?? []
  );
}

/** The kind of answer that a question asks for, by the words that ask in its language. */
export function answerKindOf(question: string): AnswerKind {
  const language = languageOf(question);
  const words = wordsOf(question);
  const asking = askingWords(language);
  const askedAt = (place: number) =>
    asking
      .get(words[place] ?? '')
      ?.find((form) => form.words.every((word, offset) => words[place + offset] === word))?.kind;
  if (language === 'en') return kindInEnglish(words, askedAt) ?? 'other';
  return (
    words
      .values()
      .map((_, place) => askedAt(place))
      .find((kind) => kind !== undefined) ?? 'other'
  );
}

function kindInEnglish(
  words: readonly string[],
  askedAt: (place: number) => AnswerKind | undefined,
): AnswerKind | undefined {
  const { degrees, choosing, nouns, verbs, listing } = english;
  if (listing.includes(words[0] ?? '')) return 'list';
  if (verbs.includes(words[0] ?? '')) return 'yes or no';
  for (const [place, word] of words.entries()) {
    const next = words[place + 1] ?? '';
    const asked = askedAt(place);
    if (asked === 'steps' && degrees.includes(next)) return 'amount';
    if (asked !== undefined && asked !== 'other') return asked;
    if (!choosing.includes(word)) continue;
    const reach = verbs.includes(next) ? maxWordsToNoun : maxWordsToOwnNoun;
    const noun = words.slice(place + 1, place + 1 + reach).find((each) => nouns[each] !== undefined);
    if (noun !== undefined) return nouns[noun];
    return next === 'are' || isPlural(lastOfPhrase(words.slice(place + 1), verbs)) ? 'list' : 'other';
  }
  const noun = words.length <= maxWordsOfPhrase ? words.find((each) => nouns[each] !== undefined) : undefined;
  return noun === undefined ? undefined : nouns[noun];
}

/** What ends a phrase of at most three words before a verb: "modes" of "power modes can I pick"; "" where none does. */
function lastOfPhrase(words: readonly string[], verbs: readonly string[]): string {
  const [first = '', ...others] = words.slice(0, maxWordsToOwnNoun + 1);
  const end = others.findIndex((word) => verbs.includes(word) || pronouns.test(word));
  if (isPlural(first) || end < 0) return first;
  return others[end - 1] ?? first;
}

/** Whether an English noun names several things, as far as its form tells. */
function isPlural(noun: string): boolean {
  return /[^sui]s$/.test(noun) && !/^(?:does|was|has|happens|comes|means)$/.test(noun);
}

const monthsAndDays = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'].flatMap((locale) => {
  const month = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const names = Array.from({ length: 12 }, (_, index) => month.format(Date.UTC(2024, index, 1)));
  return [...names, ...Array.from({ length: 7 }, (_, index) => day.format(Date.UTC(2024, 0, index + 1)))];
});
const named = monthsAndDays.filter((name) => !/^(?:may|mars|marzo|sábado)$/i.test(name)).join('|');
const time = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:1\\d{3}|20\\d{2}|\\d{1,2}:\\d{2}|\\d{1,2}(?:st|nd|rd|th)|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}[./]|(?:${named})|(?<=\\d )(?:May|mars|marzo)|(?:May|mars|marzo)(?= \\d))(?![\\p{L}\\p{N}])`,
  'iu',
);
const numberWords =
  'one two three four five six seven eight nine ten eleven twelve dozen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half quarter once twice third daily weekly monthly yearly hourly never always';
const amount = new RegExp(`\\p{N}|\\b(?:${numberWords.replaceAll(' ', '|')})\\b`, 'iu');
/** A name behind another word, or a handle. */
const person =
  /(?:[\p{Ll}\p{N},;:)]\s+["“(]?\p{Lu}[\p{L}\p{M}'’.-]+)|(?:^|\s)@\w|^["“(]?\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+/u;
const reason =
  /\b(?:because|since|so that|due to|owing to|reasons?|therefore|thus|hence|in order to|caused?|thanks to|otherwise|to (?:avoid|prevent|ensure))\b/i;
const place =
  /(?:https?:\/\/|\w\/\w|\.\w{2,4}\b)|\b(?:in|at|on|near|from|to|under|below|behind|between)\s+(?:the\s+)?["“(*`]*[\p{Lu}`/]/u;
const verdict =
  /\b(?:not|never|no|nobody|none|only|must|can|cannot|should|allowed|always|yes|without|unless|n't)\b|n['’]t\b/i;
const step = /^[ \t]*(?:\d{1,9}[.)]|```|~~~)|`[^`]+`|\b(?:by|using|with|through|via)\b/m;

/** Things named one behind the other. */
const list = /(?:[^,;\n]{1,40}[,;]\s){2}|^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;

const signs: Partial<Record<AnswerKind, RegExp>> = {
  ...{ person, time, amount, reason, place, steps: step, 'yes or no': verdict, list },
};

/** Whether words have the form of an answer of a kind, whatever they say: a number, a date, a name. */
export function hasFormOf(kind: AnswerKind, words: string): boolean {
  return signs[kind]?.test(words) ?? false;
}
