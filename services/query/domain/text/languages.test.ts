import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { expect, test } from 'vitest';
import { analyze } from './analyzer.ts';
import { type Language, languageOf, languages, questionWords } from './languages.ts';
import { questionTerms } from './question-terms.ts';

const questions: Record<Language, string> = {
  en: 'Who takes care of the invoices?',
  de: 'Wer kümmert sich um die Rechnungen?',
  fr: 'Qui s’occupe des factures de nos clients ?',
  es: '¿Quién se encarga de las facturas?',
  it: 'Chi si occupa delle fatture?',
  nl: 'Wie is er verantwoordelijk voor de facturen?',
  pt: 'Quem é que trata das faturas?',
  sv: 'Vem är det som tar hand om fakturorna?',
  da: 'Hvem er det, der tager sig af fakturaerne?',
  no: 'Hvem er det som tar seg av fakturaene våre?',
  fi: 'Kuka on vastuussa siitä, että laskut maksetaan?',
  pl: 'Kto jest odpowiedzialny za faktury?',
  cs: 'Kdo je zodpovědný za faktury?',
};

test.for(Object.entries(questions))(
  'a question is known to be in %s by its stop words',
  ([language, text]) => {
    expect(languageOf(text)).toBe(language);
  },
);

test('what has no stop words, or as many of English, is taken for English', () => {
  for (const text of [
    '',
    'Plan',
    'Urlaubsregelung',
    'kubectl get pods',
    'Is Die Hard on Netflix?',
    '東京都の人口',
  ])
    expect(languageOf(text)).toBe('en');
});

test('the words that ask are not what a question is about, in any language', () => {
  for (const language of languages) {
    const { telling, all } = questionTerms(questions[language]);
    const asking = analyze(questionWords[language], language);
    expect(telling.filter((term) => asking.includes(term))).toEqual([]);
    expect(telling.length).toBeLessThan(new Set(all).size);
  }
});

test('time is bounded however long a text is', () => {
  const text = 'der die das '.repeat(1_000_000);
  expect(processorMilliseconds(() => languageOf(text))).toBeLessThan(200);
});
