import { type Fields, noFields } from '../passages/fields.ts';
import type { DocumentKind } from '../passages/passage.ts';
import type { BlockArena } from '../storage/block-arena.ts';
import type { Columns } from '../storage/columns.ts';
import { encodeText, freeText, readText, writeText } from '../storage/text-block.ts';
import { createWordTable, type WordTableState } from '../storage/word-table.ts';
import { type Language, languages } from '../text/languages.ts';

/** The items of one view, each with a number. */
export interface ItemTable {
  /** Returns the number of an item; -1 if it is missing. */
  find(rowKey: string): number;
  /**
   * Adds an item that is not there and returns its number.
   * @throws OutOfMemoryBudget where there is no room.
   */
  add(item: {
    rowKey: string;
    title: string;
    seq: number;
    isExternal: boolean;
    kind: DocumentKind;
    fields: Fields;
    language: Language;
  }): number;
  remove(item: number): void;
  rowKeyOf(item: number): string;
  titleOf(item: number): string;
  isExternal(item: number): boolean;
  kindOf(item: number): DocumentKind;
  fieldsOf(item: number): Fields;
  /** The language that the terms of its passages are of. */
  languageOf(item: number): Language;
  /** The languages of the items. */
  languages(): Language[];
  seqOf(item: number): number;
  /** The first of its passages: its slot and 1, or 0. */
  firstSlot(item: number): number;
  setFirstSlot(item: number, slotAndOne: number): void;
  /** Passages of it that are not indexed, and those that are indexed by some of their words. */
  missing(item: number): { skipped: number; partly: number };
  setMissing(item: number, missing: { skipped: number; partly: number }): void;
  /** Marks an item whose vectors are not known to fit its present state. */
  setBacklog(item: number, waits: boolean): void;
  inBacklog(item: number): boolean;
  /** Numbers are below this. */
  end(): number;
  state(): WordTableState;
  restore(state: WordTableState): void;
}

const externalFlag = 1;
const backlogFlag = 2;
/** Two bits from here on are the place of the kind in this list. */
const kindShift = 2;
/** And four from here on that of the language. */
const languageShift = 4;
const kinds: readonly DocumentKind[] = ['item', 'decision', 'project'];
const outdatedFlag = 256;
const datedByChangeFlag = 512;
const byGuestFlag = 4096;
const datedByPeriodFlag = 2048;

/** Makes an empty table. */
export function createItemTable(arena: BlockArena, columns: Columns): ItemTable {
  const rowKeys = createWordTable(arena, columns);
  const seqs = columns.add(Float64Array);
  const titles = columns.add(Uint32Array);
  /** The day of its fields as the number that its digits are; 0 for none. */
  const days = columns.add(Uint32Array);
  /** What else its fields say, as of `wordsOf`; 0 for nothing. */
  const fieldTexts = columns.add(Uint32Array);
  const flags = columns.add(Uint16Array);
  const firstSlots = columns.add(Uint32Array);
  const skipped = columns.add(Uint32Array);
  const partly = columns.add(Uint32Array);

  const itemsByLanguage = new Uint32Array(languages.length);

  function languagePlace(item: number): number {
    return ((flags.values[item] as number) >> languageShift) & 15;
  }

  function countLanguage(item: number, change: 1 | -1): void {
    const place = languagePlace(item);
    itemsByLanguage[place] = (itemsByLanguage[place] as number) + change;
  }

  function setFlag(item: number, flag: number, value: boolean): void {
    const others = (flags.values[item] as number) & ~flag;
    flags.values[item] = value ? others | flag : others;
  }

  return {
    find: rowKeys.find,
    add({ rowKey, title, seq, isExternal, kind, fields, language }) {
      const encoded = encodeText(title);
      const words = wordsOf(fields);
      const encodedFields = words === '' ? undefined : encodeText(words);
      rowKeys.reserve(1);
      for (const column of [seqs, titles, days, fieldTexts, flags, firstSlots, skipped, partly])
        column.ensure(rowKeys.end() + 1);
      const forFields = encodedFields === undefined ? 0 : arena.roundUp(encodedFields.words);
      arena.reserve(arena.roundUp(rowKeys.wordsFor(rowKey)) + arena.roundUp(encoded.words) + forFields);
      const item = rowKeys.add(rowKey);
      seqs.values[item] = seq;
      titles.values[item] = writeText(arena, encoded);
      fieldTexts.values[item] = encodedFields === undefined ? 0 : writeText(arena, encodedFields);
      days.values[item] = Number(fields.date.replaceAll('-', ''));
      flags.values[item] =
        (isExternal ? externalFlag : 0) |
        (kinds.indexOf(kind) << kindShift) |
        (languages.indexOf(language) << languageShift) |
        (fields.isOutdated ? outdatedFlag : 0) |
        (fields.isByGuest ? byGuestFlag : 0) |
        (fields.isDatedByChange ? datedByChangeFlag : 0) |
        (fields.isDatedByPeriod ? datedByPeriodFlag : 0);
      countLanguage(item, 1);
      firstSlots.values[item] = 0;
      skipped.values[item] = 0;
      partly.values[item] = 0;
      return item;
    },
    remove(item) {
      freeText(arena, titles.values[item] as number);
      const fieldText = fieldTexts.values[item] as number;
      if (fieldText !== 0) freeText(arena, fieldText);
      countLanguage(item, -1);
      flags.values[item] = 0;
      rowKeys.remove(item);
    },
    rowKeyOf: rowKeys.textOf,
    titleOf: (item) => readText(arena, titles.values[item] as number),
    isExternal: (item) => ((flags.values[item] as number) & externalFlag) !== 0,
    kindOf: (item) => kinds[((flags.values[item] as number) >> kindShift) & 3] ?? 'item',
    fieldsOf(item) {
      const fieldText = fieldTexts.values[item] as number;
      const flag = flags.values[item] as number;
      return {
        ...(fieldText === 0 ? noFields : fromWords(readText(arena, fieldText))),
        date: dayOfNumber(days.values[item] as number),
        isOutdated: (flag & outdatedFlag) !== 0,
        ...((flag & byGuestFlag) !== 0 && { isByGuest: true }),
        ...((flag & datedByChangeFlag) !== 0 && { isDatedByChange: true }),
        ...((flag & datedByPeriodFlag) !== 0 && { isDatedByPeriod: true }),
      };
    },
    languageOf: (item) => languages[languagePlace(item)] ?? 'en',
    languages: () => languages.filter((_, place) => (itemsByLanguage[place] as number) > 0),
    seqOf: (item) => seqs.values[item] as number,
    firstSlot: (item) => firstSlots.values[item] as number,
    setFirstSlot(item, slotAndOne) {
      firstSlots.values[item] = slotAndOne;
    },
    missing: (item) => {
      return { skipped: skipped.values[item] as number, partly: partly.values[item] as number };
    },
    setMissing(item, counts) {
      skipped.values[item] = counts.skipped;
      partly.values[item] = counts.partly;
    },
    setBacklog: (item, waits) => setFlag(item, backlogFlag, waits),
    inBacklog: (item) => ((flags.values[item] as number) & backlogFlag) !== 0,
    end: rowKeys.end,
    state: rowKeys.state,
    restore(state) {
      rowKeys.restore(state);
      for (let item = 0; item < rowKeys.end(); item += 1)
        if (rowKeys.lengthOf(item) > 0) countLanguage(item, 1);
    },
  };
}

/** The day as YYYY-MM-DD, whose digits are this number; '' for 0. */
function dayOfNumber(number: number): string {
  if (number === 0) return '';
  return String(number)
    .padStart(8, '0')
    .replace(/^(....)(..)(..)$/, '$1-$2-$3');
}

/** Returns the words of fields as one text; '' if there are none, as for most items. */
function wordsOf({ status, project, owner, tags }: Fields): string {
  const words = [status, project, owner, ...tags];
  return words.every((each) => each === '') ? '' : JSON.stringify(words);
}

function fromWords(text: string): Fields {
  const [status = '', project = '', owner = '', ...tags] = JSON.parse(text) as string[];
  return { ...noFields, status, project, owner, tags };
}
