/** Endings and what takes their place, the longer before those that they end in. */
const step2 =
  endings(`ational ate|tional tion|enci ence|anci ance|izer ize|bli ble|alli al|entli ent|eli e|ousli ous|
  ization ize|ation ate|ator ate|alism al|iveness ive|fulness ful|ousness ous|aliti al|iviti ive|biliti ble|logi log`);
const step3 = endings('icate ic|ative |alize al|iciti ic|ical ic|ful |ness ');
const step4 = 'ement ment ance ence able ible sion tion ant ent ism ate iti ous ive ize al er ic ou'.split(
  ' ',
);

/**
 * The stem of a lower-case English word by M. F. Porter, "An algorithm for
 * suffix stripping" (1980), with the two departures of his own program
 * (`bli`, `logi`), as Lucene has it. Written here again so that the reference
 * shares nothing with what is measured against it.
 */
export function porterStem(word: string): string {
  if (word.length <= 2 || !/^[a-z]+$/.test(word)) return word;
  let stem = withoutPlural(word);
  stem = withoutEdOrIng(stem);
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaced(replaced(stem, step2), step3);
  stem = withoutStep4(stem);
  return withoutFinalE(stem);
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutEdOrIng(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = ['ed', 'ing'].find((each) => word.endsWith(each));
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  if (!hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeiouylsz])\1$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function replaced(word: string, rules: readonly (readonly [string, string])[]): string {
  const rule = rules.find(([ending]) => word.endsWith(ending));
  if (rule === undefined) return word;
  const stem = word.slice(0, -rule[0].length);
  return measure(stem) > 0 ? stem + rule[1] : word;
}

function withoutStep4(word: string): string {
  const ending = step4.find((each) => word.endsWith(each));
  if (ending === undefined) return word;
  // Of sion and tion only ion is an ending: the s or t stays.
  const stem = word.slice(0, -(ending.endsWith('ion') ? 3 : ending.length));
  return measure(stem) > 1 ? stem : word;
}

function withoutFinalE(word: string): string {
  let stem = word;
  if (word.endsWith('e')) {
    const before = word.slice(0, -1);
    if (measure(before) > 1 || (measure(before) === 1 && !endsShort(before))) stem = before;
  }
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem;
}

/** Each letter as `v` for a vowel or `c` for a consonant; y is a vowel after a consonant. */
function shape(word: string): string {
  let letters = '';
  for (const letter of word) {
    const vowel = 'aeiou'.includes(letter) || (letter === 'y' && letters.endsWith('c'));
    letters += vowel ? 'v' : 'c';
  }
  return letters;
}

/** How often consonants follow vowels: Porter's m. */
function measure(stem: string): number {
  return shape(stem).match(/vc/g)?.length ?? 0;
}

function hasVowel(stem: string): boolean {
  return shape(stem).includes('v');
}

/** Ends consonant, vowel, consonant, and not in w, x or y: as in hop. */
function endsShort(stem: string): boolean {
  return shape(stem).endsWith('cvc') && !/[wxy]$/.test(stem);
}

function endings(list: string): [string, string][] {
  return list.split('|').map((rule) => {
    const [ending = '', replacement = ''] = rule.trimStart().split(' ');
    return [ending, replacement];
  });
}
