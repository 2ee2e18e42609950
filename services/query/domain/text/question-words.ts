import type { Language } from './language.ts';

/** The kind of question. */
export type QuestionKind = 'who' | 'when' | 'where' | 'why' | 'how many' | 'how' | 'what' | 'yes or no';

/**
 * By language the words that questions begin with, in lower case, of which the first that a question has tells what it
 * asks for. A longer form stands before a shorter one that it begins with. Those of several words are written with blanks.
 */
export const questionWords: Record<Language, readonly (readonly [kind: QuestionKind, words: string])[]> = {
  en: [
    [
      'how many',
      'how many, how much, how long, how often, how old, how large, how big, how far, how high, how expensive',
    ],
    ['who', 'who, whom, whose'],
    ['when', 'when, since when, until when, by when, what date, which day, on which day, what time'],
    ['where', 'where, to where, from where'],
    ['why', 'why, what for, for what reason, how come'],
    ['how', 'how'],
    ['what', 'what, which'],
  ],
  de: [
    [
      'how many',
      'wie viele, wie viel, wieviele, wieviel, wie lange, wie oft, wie hoch, wie groß, wie teuer, wie alt, wie weit',
    ],
    ['who', 'wer, wen, wem, wessen, für wen, von wem, mit wem, an wen'],
    ['when', 'wann, seit wann, bis wann, ab wann, an welchem tag, um wie viel uhr'],
    ['where', 'wo, wohin, woher'],
    ['why', 'warum, weshalb, wieso, weswegen, wozu'],
    ['how', 'wie, womit, wodurch'],
    ['what', 'was, welche, welcher, welches, welchen, welchem, worum, wofür, woran, worüber'],
  ],
  fr: [
    ['how many', 'combien, combien de'],
    ['who', 'qui, qui est-ce, à qui, de qui, avec qui, pour qui'],
    ['when', 'quand, depuis quand, à quelle date, quel jour, à quelle heure'],
    ['where', 'où, d’où'],
    ['why', 'pourquoi, pour quelle raison'],
    ['how', 'comment'],
    ['what', 'quel, quelle, quels, quelles, que, quoi, qu’est-ce, lequel, laquelle, lesquels'],
  ],
  es: [
    ['how many', 'cuántos, cuántas, cuánto, cuánta, cuantos, cuantas, cuanto, cuanta'],
    ['who', 'quién, quiénes, quien, quienes, a quién, de quién, con quién'],
    ['when', 'cuándo, cuando, desde cuándo, hasta cuándo, qué día'],
    ['where', 'dónde, donde, adónde, de dónde'],
    ['why', 'por qué, por que, para qué'],
    ['how', 'cómo, como'],
    ['what', 'qué, que, cuál, cuáles, cual, cuales'],
  ],
  it: [
    ['how many', 'quanti, quante, quanto, quanta'],
    ['who', 'chi, a chi, di chi, con chi'],
    ['when', 'quando, da quando, in che giorno, a che ora'],
    ['where', 'dove, dov’è, da dove'],
    ['why', 'perché, perche, come mai'],
    ['how', 'come, com’è'],
    ['what', 'che, cosa, che cosa, cos’è, quale, quali, qual'],
  ],
  nl: [
    ['how many', 'hoeveel, hoe lang, hoe vaak, hoe hoog, hoe groot, hoe duur, hoe oud'],
    ['who', 'wie, wiens, van wie, aan wie, met wie'],
    ['when', 'wanneer, sinds wanneer, tot wanneer, op welke dag, hoe laat'],
    ['where', 'waar, waarheen, waarvandaan'],
    ['why', 'waarom, waarvoor'],
    ['how', 'hoe, waarmee'],
    ['what', 'wat, welke, welk, waarover'],
  ],
  pt: [
    ['how many', 'quantos, quantas, quanto, quanta'],
    ['who', 'quem, a quem, de quem, com quem'],
    ['when', 'quando, desde quando, até quando, em que dia'],
    ['where', 'onde, aonde, de onde'],
    ['why', 'por que, porque, porquê, por quê'],
    ['how', 'como'],
    ['what', 'que, o que, qual, quais'],
  ],
  sv: [
    ['how many', 'hur många, hur mycket, hur länge, hur ofta, hur stor, hur högt'],
    ['who', 'vem, vems, vilka'],
    ['when', 'när, sedan när, vilken dag'],
    ['where', 'var, vart, varifrån'],
    ['why', 'varför'],
    ['how', 'hur'],
    ['what', 'vad, vilken, vilket'],
  ],
  da: [
    ['how many', 'hvor mange, hvor meget, hvor længe, hvor ofte, hvor stor'],
    ['who', 'hvem, hvis'],
    ['when', 'hvornår, hvilken dag'],
    ['why', 'hvorfor'],
    ['how', 'hvordan'],
    ['where', 'hvor, hvorhen, hvorfra'],
    ['what', 'hvad, hvilken, hvilket, hvilke'],
  ],
  no: [
    ['how many', 'hvor mange, hvor mye, hvor lenge, hvor ofte, hvor stor'],
    ['who', 'hvem, hvems'],
    ['when', 'når, hvilken dag'],
    ['why', 'hvorfor'],
    ['how', 'hvordan'],
    ['where', 'hvor, hvorfra'],
    ['what', 'hva, hvilken, hvilket, hvilke'],
  ],
  fi: [
    ['how many', 'montako, kuinka monta, kuinka paljon, paljonko, kuinka kauan, kuinka usein'],
    ['who', 'kuka, kenen, kenelle, ketkä, kenet'],
    ['when', 'milloin, koska, mihin aikaan'],
    ['where', 'missä, minne, mistä, mihin'],
    ['why', 'miksi'],
    ['how', 'miten, kuinka'],
    ['what', 'mikä, mitä, mitkä, minkä, kumpi, millainen'],
  ],
  pl: [
    ['how many', 'ile, ilu, jak długo, jak często, jak dużo'],
    ['who', 'kto, kogo, komu, kim, czyj'],
    ['when', 'kiedy, od kiedy, do kiedy'],
    ['where', 'gdzie, dokąd, skąd'],
    ['why', 'dlaczego, czemu, po co'],
    ['how', 'jak'],
    ['what', 'co, czego, który, która, które, jaki, jaka, jakie'],
  ],
  cs: [
    ['how many', 'kolik, jak dlouho, jak často'],
    ['who', 'kdo, koho, komu, kým, čí'],
    ['when', 'kdy, odkdy, dokdy'],
    ['where', 'kde, kam, odkud'],
    ['why', 'proč'],
    ['how', 'jak'],
    ['what', 'co, čeho, který, která, které, jaký, jaká, jaké'],
  ],
};
