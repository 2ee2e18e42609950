// `node test/eval/make-thesaurus.ts` writes services/query/domain/words/thesaurus.br anew, from WordNet 3.0 (Debian's
// wordnet-base): for each term what may stand in its place, as far as usual senses of both say so.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { porterStem } from './porter-stem.ts';

const output = new URL('../../services/query/domain/words/thesaurus.br', import.meta.url);
/** What a relation between two senses says about whether one word may stand for the other. */
const trustBySymbol: Record<string, number> = {
  // Derivationally related, pertainym, participle: another form of the word.
  '+': 1,
  '\\': 1,
  '<': 1,
  // Similar, same verb group, entailment, cause.
  '&': 0.6,
  $: 0.7,
  '*': 0.4,
  '>': 0.5,
  // Hypernym and hyponym.
  '@': 0.45,
  '~': 0.45,
};
/** Two kinds of the same thing may stand for each other where it has few. */
const sisterTrust = 0.45;
const mostSisters = 12;
/** Above so many kinds a word says too little about any of them. */
const mostHyponyms = 25;
/** A sense with a smaller share of the uses of its word is passed over. */
const leastShare = 0.08;
const leastTrust = 0.15;
const mostAlternatives = 16;
/** Words that definitions use less often are not asked for either. */
const leastUses = 3;
/** Trusts are written as a digit, from 1 to 9 tenths. */
const mostTenths = 9;

/** The terms of a text as the query service has them (domain/text/analyzer.ts), as far as English words go. */
function analyze(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+(?:'[a-z]+)*/g) ?? [];
  return words.map((word) => {
    const plain = word.replace(/'s$/, '').replaceAll("'", '');
    return /^[a-z]{3,}$/.test(plain) ? porterStem(plain).replace(/(?<=[aeou])i$/, 'y') : plain;
  });
}

interface Synset {
  words: string[];
  pointers: { symbol: string; target: string; from: number; to: number }[];
}

const parts = { noun: 'n', verb: 'v', adj: 'a', adv: 'r' } as const;
const folder = await mkdtemp(join(tmpdir(), 'wordnet-'));
try {
  const files = await unpacked();
  const synsets = await readSynsets(files);
  const shares = await readShares(files);
  const irregular = await readIrregular(files);
  const lines = linesOf(alternativesOf(synsets, shares), irregular, await usualTerms(files));
  const text = `${lines.join('\n')}\n`;
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 } };
  await writeFile(output, brotliCompressSync(text, options));
  process.stderr.write(`${lines.length} terms, ${text.length} characters\n`);
} finally {
  await rm(folder, { recursive: true });
}

async function unpacked(): Promise<string> {
  execFileSync('apt-get', ['download', 'wordnet-base'], { cwd: folder, stdio: 'ignore' });
  const [archive = ''] = await readdir(folder);
  execFileSync('dpkg-deb', ['-x', archive, '.'], { cwd: folder });
  return join(folder, 'usr/share/wordnet');
}

/** By part of speech and offset. */
async function readSynsets(files: string): Promise<Map<string, Synset>> {
  const synsets = new Map<string, Synset>();
  for (const [part, letter] of Object.entries(parts)) {
    for (const line of (await readFile(join(files, `data.${part}`), 'utf8')).split('\n')) {
      if (line === '' || line.startsWith(' ')) continue;
      const fields = line.split(' ');
      const wordCount = Number.parseInt(fields[3] ?? '', 16);
      const words = Array.from({ length: wordCount }, (_, index) => fields[4 + 2 * index] ?? '');
      const start = 4 + 2 * wordCount;
      const pointers = Array.from({ length: Number(fields[start]) }, (_, index) => {
        const [symbol = '', offset = '', pos = '', ends = ''] = fields.slice(start + 1 + 4 * index);
        const [from, to] = [ends.slice(0, 2), ends.slice(2)].map((end) => Number.parseInt(end, 16));
        return { symbol, target: pos + offset, from: from ?? 0, to: to ?? 0 };
      });
      synsets.set(letter + fields[0], { words: words.map(lemmaOf), pointers });
    }
  }
  return synsets;
}

/** Adjectives carry where they stand in brackets. */
function lemmaOf(word: string): string {
  return word.replace(/\(.*\)$/, '');
}

/** By lemma and synset: the share of the uses of a lemma that are of this sense, all parts of speech together. */
async function readShares(files: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const line of (await readFile(join(files, 'cntlist.rev'), 'utf8')).split('\n')) {
    const [key = '', sense = '', count = ''] = line.split(' ');
    const [lemma = '', code = ''] = key.split('%');
    const letter = 'nvara'[Number(code[0]) - 1] ?? '';
    counts.set(`${lemma} ${letter} ${sense}`, Number(count));
  }
  const uses = new Map<string, { synset: string; count: number }[]>();
  for (const [part, letter] of Object.entries(parts)) {
    for (const line of (await readFile(join(files, `index.${part}`), 'utf8')).split('\n')) {
      if (line === '' || line.startsWith(' ')) continue;
      const [lemma = '', , senses = ''] = line.split(' ');
      const offsets = line.trim().split(/\s+/).slice(-Number(senses));
      for (const [index, offset] of offsets.entries()) {
        // The first sense counts a little where texts were not counted; the later ones less and less.
        const count = (counts.get(`${lemma} ${letter} ${index + 1}`) ?? 0) + 1 / (index + 1);
        uses.set(lemma, [...(uses.get(lemma) ?? []), { synset: letter + offset, count }]);
      }
    }
  }
  const shares = new Map<string, number>();
  for (const [lemma, senses] of uses) {
    const all = senses.reduce((sum, { count }) => sum + count, 0);
    for (const { synset, count } of senses) shares.set(`${lemma} ${synset}`, count / all);
  }
  return shares;
}

/** Terms that the definitions of WordNet use, or that texts were found to use: others are asked for by nobody. */
async function usualTerms(files: string): Promise<Set<string>> {
  const counts = new Map<string, number>();
  const count = (text: string, times: number) => {
    for (const term of analyze(text)) counts.set(term, (counts.get(term) ?? 0) + times);
  };
  for (const part of Object.keys(parts))
    for (const line of (await readFile(join(files, `data.${part}`), 'utf8')).split('\n'))
      if (!line.startsWith(' ')) count(line.split('|').slice(1).join('|'), 1);
  for (const line of (await readFile(join(files, 'cntlist.rev'), 'utf8')).split('\n'))
    count(line.split('%')[0]?.replaceAll('_', ' ') ?? '', leastUses);
  return new Set([...counts].flatMap(([term, uses]) => (uses >= leastUses ? [term] : [])));
}

/** Pairs of an irregular form and its lemma. */
async function readIrregular(files: string): Promise<[string, string][]> {
  const pairs: [string, string][] = [];
  for (const part of Object.keys(parts)) {
    for (const line of (await readFile(join(files, `${part}.exc`), 'utf8')).split('\n')) {
      const [form, lemma] = line.split(' ');
      if (form && lemma && !form.includes('_')) pairs.push([form, lemma]);
    }
  }
  return pairs;
}

type Alternatives = Map<string, Map<string, number>>;

/** By term, or terms with blanks between them: the terms that may stand for it, and how far that is to be trusted. */
function alternativesOf(synsets: Map<string, Synset>, shares: Map<string, number>): Alternatives {
  const found: Alternatives = new Map();
  const shareOf = (word: string, synset: string) => shares.get(`${word.toLowerCase()} ${synset}`) ?? 0;
  const relate = (left: Sense, right: Sense, trust: number) => {
    const [mine, others] = [shareOf(left.word, left.synset), shareOf(right.word, right.synset)];
    if (mine < leastShare || others < leastShare) return;
    add(found, left.word, right.word, trust * Math.sqrt(mine * others));
  };
  const relateAll = (left: string, right: string, trust: number) => {
    for (const word of synsets.get(left)?.words ?? [])
      for (const other of synsets.get(right)?.words ?? [])
        relate({ word, synset: left }, { word: other, synset: right }, trust);
  };
  for (const [key, { pointers }] of synsets) {
    relateAll(key, key, 1);
    const kinds = pointers.filter(({ symbol }) => symbol === '~');
    for (const { symbol, target, from, to } of pointers) {
      const trust = trustBySymbol[symbol];
      if (trust === undefined || (symbol === '~' && kinds.length > mostHyponyms)) continue;
      const parent = synsets.get(target)?.pointers.filter((pointer) => pointer.symbol === '~').length ?? 0;
      if (symbol === '@' && parent > mostHyponyms) continue;
      const words = synsets.get(key)?.words ?? [];
      const others = synsets.get(target)?.words ?? [];
      if (from === 0) relateAll(key, target, trust);
      else {
        relate(
          { word: words[from - 1] ?? '', synset: key },
          { word: others[to - 1] ?? '', synset: target },
          trust,
        );
        // What is derived from a word may also stand for its synonyms.
        for (const word of words)
          relate({ word, synset: key }, { word: others[to - 1] ?? '', synset: target }, 0.7);
        for (const other of others)
          relate({ word: words[from - 1] ?? '', synset: key }, { word: other, synset: target }, 0.7);
      }
    }
    if (kinds.length <= mostSisters)
      for (const left of kinds)
        for (const right of kinds) if (left !== right) relateAll(left.target, right.target, sisterTrust);
  }
  return found;
}

interface Sense {
  word: string;
  synset: string;
}

function add(found: Alternatives, word: string, other: string, trust: number): void {
  const key = analyze(word.replaceAll('_', ' ')).join(' ');
  const [term = '', ...further] = analyze(other.replaceAll('_', ' '));
  // Names of people, places and kinds of plants are no words that one may ask for in place of others.
  if (key === '' || further.length > 0 || key === term || trust < leastTrust) return;
  if (/[A-Z]/.test(word[0] ?? '') || /[A-Z]/.test(other[0] ?? '') || /\d/.test(key + term)) return;
  if (key.split(' ').length > 3 || term.length < 2) return;
  const alternatives = found.get(key) ?? new Map<string, number>();
  found.set(key, alternatives);
  alternatives.set(term, Math.max(trust, alternatives.get(term) ?? 0));
}

function linesOf(found: Alternatives, irregular: [string, string][], usual: Set<string>): string[] {
  for (const [form, lemma] of irregular) {
    const [one = '', other = ''] = [analyze(form)[0], analyze(lemma)[0]];
    if (one === other) continue;
    for (const [term, trust] of found.get(other) ?? []) add(found, form, term, trust * 0.9);
    add(found, form, lemma, 1);
    add(found, lemma, form, 1);
  }
  const lines: string[] = [];
  for (const [key, alternatives] of found) {
    if (key.split(' ').some((term) => !usual.has(term))) continue;
    const known = [...alternatives].filter(([term]) => usual.has(term));
    const best = known.sort((left, right) => right[1] - left[1]).slice(0, mostAlternatives);
    const shown = best.map(
      ([term, trust]) => `${term}${Math.max(1, Math.min(mostTenths, Math.round(10 * trust)))}`,
    );
    if (shown.length > 0) lines.push(`${key}:${shown.join(' ')}`);
  }
  return lines.sort((left, right) => (left < right ? -1 : 1));
}
