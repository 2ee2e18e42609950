import type { WantedTerm } from '../../services/query/domain/ranking/wanted-terms.ts';

/** What stands in for the exports of a module; each is made of the export as it is. */
export interface ReplacedModule {
  /** Path below services/query. */
  module: string;
  exports: Readonly<Record<string, (original: never) => unknown>>;
}

/** A rule of ranking or answering that can be switched off, so that it is known what it is for. */
export interface Rule {
  name: string;
  replaced: readonly ReplacedModule[];
  /** Paths below services/query of what would go with the rule; the replaced exports alone where it is left out. */
  files?: readonly string[];
  /** The rule has a part in indexing, so that indexes are built anew without it. */
  isOfIndexing?: boolean;
  /** A question to the memory `harbour` that shows the rule, where none of that memory's own does. */
  probe?: string;
}

/** The modules in which rules are replaced, by their paths below services/query. */
interface Modules {
  'domain/dates/dates-in.ts': typeof import('../../services/query/domain/dates/dates-in.ts');
  'domain/dates/dates-wanted.ts': typeof import('../../services/query/domain/dates/dates-wanted.ts');
  'domain/dates/named-days.ts': typeof import('../../services/query/domain/dates/named-days.ts');
  'domain/passages/item-fields.ts': typeof import('../../services/query/domain/passages/item-fields.ts');
  'domain/passages/outdated.ts': typeof import('../../services/query/domain/passages/outdated.ts');
  'domain/quotes/choosing-thoughts.ts': typeof import('../../services/query/domain/quotes/choosing-thoughts.ts');
  'domain/quotes/field-lines.ts': typeof import('../../services/query/domain/quotes/field-lines.ts');
  'domain/quotes/showing.ts': typeof import('../../services/query/domain/quotes/showing.ts');
  'domain/quotes/thought.ts': typeof import('../../services/query/domain/quotes/thought.ts');
  'domain/ranking/bm25.ts': typeof import('../../services/query/domain/ranking/bm25.ts');
  'domain/ranking/currency.ts': typeof import('../../services/query/domain/ranking/currency.ts');
  'domain/ranking/evidence.ts': typeof import('../../services/query/domain/ranking/evidence.ts');
  'domain/ranking/wanted-terms.ts': typeof import('../../services/query/domain/ranking/wanted-terms.ts');
  'domain/ranking/missing-words.ts': typeof import('../../services/query/domain/ranking/missing-words.ts');
  'domain/ranking/relevance.ts': typeof import('../../services/query/domain/ranking/relevance.ts');
  'domain/ranking/rerank.ts': typeof import('../../services/query/domain/ranking/rerank.ts');
  'domain/ranking/scoring.ts': typeof import('../../services/query/domain/ranking/scoring.ts');
  'domain/ranking/spelling.ts': typeof import('../../services/query/domain/ranking/spelling.ts');
  'domain/rows/rows-answer.ts': typeof import('../../services/query/domain/rows/rows-answer.ts');
  'domain/text/general-rarity.ts': typeof import('../../services/query/domain/text/general-rarity.ts');
  'domain/text/languages.ts': typeof import('../../services/query/domain/text/languages.ts');
  'domain/text/question-terms.ts': typeof import('../../services/query/domain/text/question-terms.ts');
  'domain/views/wanted-in-view.ts': typeof import('../../services/query/domain/views/wanted-in-view.ts');
  'domain/words/other-words.ts': typeof import('../../services/query/domain/words/other-words.ts');
}

type Replacements<Module> = { [Name in keyof Module]?: (original: Module[Name]) => Module[Name] };

function replacing<Path extends keyof Modules>(
  module: Path,
  exports: Replacements<Modules[Path]>,
): ReplacedModule {
  return { module, exports: exports as ReplacedModule['exports'] };
}

/** Scores by other terms than those of a question. */
function searchingFor(other: (term: WantedTerm) => WantedTerm): ReplacedModule {
  return replacing('domain/ranking/bm25.ts', {
    scoredByWords: (scoredByWords) => (query, passages, words) =>
      scoredByWords(query.map(other), passages, words),
  });
}

/** Every rule, with a replacement that does nothing. The test beside this says of each whether it still does something. */
export const rules: readonly Rule[] = [
  {
    name: 'order of time',
    files: ['domain/ranking/currency.ts'],
    replaced: [
      replacing('domain/ranking/currency.ts', {
        inOrderOfTime:
          () =>
          (passages, wanted, { words }) => ({ passages: [...passages], wanted, words }),
      }),
    ],
  },
  {
    name: 'dates of a question',
    files: ['domain/dates/dates-wanted.ts', 'domain/dates/named-days.ts'],
    replaced: [
      replacing('domain/dates/dates-wanted.ts', {
        datesWanted: () => () => ({ latest: false, overdue: false, words: [] }),
      }),
    ],
  },
  {
    name: 'named days of a question',
    files: ['domain/dates/named-days.ts'],
    replaced: [replacing('domain/dates/named-days.ts', { namedDays: () => () => [] })],
  },
  {
    name: 'days in titles and headings',
    files: ['domain/dates/dates-in.ts'],
    isOfIndexing: true,
    replaced: [
      replacing('domain/dates/dates-in.ts', {
        datesIn: () => () => [],
      }),
    ],
  },
  {
    name: 'missing words',
    files: ['domain/ranking/missing-words.ts'],
    replaced: [replacing('domain/ranking/missing-words.ts', { missingWords: () => () => [] })],
  },
  {
    name: 'forms of missing words',
    replaced: [replacing('domain/views/wanted-in-view.ts', { hasFormInView: () => () => false })],
  },
  {
    name: 'refusal',
    files: ['domain/ranking/relevance.ts', 'domain/ranking/missing-words.ts'],
    replaced: [
      replacing('domain/ranking/relevance.ts', {
        relevanceOf:
          () =>
          ({ passages }) => ({ passages, missing: [] }),
      }),
    ],
  },
  {
    name: 'evidence',
    files: ['domain/ranking/evidence.ts'],
    replaced: [replacing('domain/ranking/evidence.ts', { evidenceOf: () => () => 1 })],
  },
  {
    name: 'rerank',
    files: ['domain/ranking/rerank.ts'],
    replaced: [
      replacing('domain/ranking/rerank.ts', {
        rerank: () => (_, candidates) => [...candidates],
      }),
    ],
  },
  {
    name: 'pairs in rerank',
    replaced: [
      replacing('domain/ranking/rerank.ts', {
        rerank: (rerank) => (wanted, candidates) => rerank({ ...wanted, pairs: new Map() }, candidates),
      }),
    ],
  },
  {
    name: 'runs of four characters in rerank',
    replaced: [
      replacing('domain/ranking/wanted-terms.ts', {
        fourGramsOf: () => () => ({ count: 0, forEachIn: () => undefined }),
      }),
    ],
  },
  {
    name: 'spelling',
    files: ['domain/ranking/spelling.ts'],
    replaced: [replacing('domain/ranking/spelling.ts', { nearestWord: () => () => undefined })],
  },
  {
    name: 'other words',
    files: ['domain/words/other-words.ts', 'domain/words/thesaurus.ts', 'search-index/open-thesaurus.ts'],
    replaced: [replacing('domain/words/other-words.ts', { otherWords: () => () => new Map() })],
  },
  {
    name: 'compounds',
    replaced: [
      replacing('domain/words/other-words.ts', {
        compoundsWith: () => () => [],
        partsOf: () => () => undefined,
      }),
    ],
  },
  {
    name: 'forms in other languages',
    replaced: [replacing('domain/text/question-terms.ts', { formsIn: () => () => new Map() })],
  },
  {
    name: 'stop words',
    replaced: [
      replacing('domain/text/question-terms.ts', {
        questionTerms: (questionTerms) => (question) => {
          const asked = questionTerms(question);
          return { ...asked, telling: [...new Set(asked.all)].slice(0, 128) };
        },
      }),
    ],
  },
  {
    name: 'general rarity',
    files: ['domain/text/general-rarity.ts', 'domain/text/everyday-words.ts'],
    replaced: [replacing('domain/text/general-rarity.ts', { generalRarity: () => () => 1 })],
  },
  {
    name: 'general rarity in ranking',
    files: [],
    replaced: [searchingFor((term) => ({ ...term, rarity: 1 }))],
  },
  {
    name: 'ordinary words',
    files: ['domain/text/ordinary-words.ts'],
    replaced: [replacing('domain/text/general-rarity.ts', { isOrdinary: () => () => false })],
  },
  {
    name: 'score of the whole item',
    files: [],
    replaced: [replacing('domain/ranking/scoring.ts', { itemWeight: () => 0 as 0.3 })],
  },
  {
    name: 'weight of title and headings',
    files: [],
    isOfIndexing: true,
    replaced: [replacing('domain/ranking/scoring.ts', { headWeight: () => 1 as 3 })],
  },
  {
    name: 'lists of rows',
    files: [
      'domain/rows/matching-rows.ts',
      'domain/rows/row-question.ts',
      'domain/rows/row-words.ts',
      'domain/rows/rows-answer.ts',
    ],
    replaced: [
      replacing('domain/rows/rows-answer.ts', {
        rowsAnswer: () => () => undefined,
      }),
    ],
  },
  {
    name: 'outdated notes',
    files: ['domain/passages/outdated.ts'],
    isOfIndexing: true,
    replaced: [
      replacing('domain/passages/outdated.ts', {
        isOutdatedStatus: () => () => false,
        isInOutdatedFolder: () => () => false,
        saysOutdated: () => () => false,
        isTitledOutdated: () => () => false,
      }),
    ],
  },
  {
    name: 'outdated notes left out of answers',
    replaced: [
      replacing('domain/quotes/showing.ts', {
        shownForTheirTime: () => (hits) => [...hits],
      }),
    ],
  },
  {
    name: 'line of fields in answers',
    files: ['domain/quotes/field-lines.ts'],
    replaced: [
      replacing('domain/quotes/field-lines.ts', {
        withFieldLines: () => (hits, findings) => ({ hits: [...hits], findings }),
      }),
    ],
  },
  {
    name: 'words of fields',
    isOfIndexing: true,
    replaced: [replacing('domain/passages/item-fields.ts', { wordsOfFields: () => () => '' })],
  },
  {
    name: 'words of the path',
    isOfIndexing: true,
    replaced: [replacing('domain/passages/item-fields.ts', { wordsOfPath: () => () => '' })],
  },
  {
    name: 'second and third passage',
    files: [],
    replaced: [
      replacing('domain/quotes/choosing-thoughts.ts', {
        chooseThoughts: (chooseThoughts) => (passages, findings) =>
          chooseThoughts(passages.slice(0, 1), findings),
      }),
    ],
  },
  {
    name: 'cutting of long passages at what matches',
    files: ['domain/quotes/thought.ts', 'domain/quotes/passage-blocks.ts'],
    replaced: [
      replacing('domain/quotes/thought.ts', {
        thoughtIn: (thoughtIn) => (text, match, limit) => ({
          ...thoughtIn(text, match, limit),
          text: text.slice(0, limit),
        }),
      }),
    ],
  },
  {
    name: 'languages other than English',
    files: [],
    isOfIndexing: true,
    replaced: [
      replacing('domain/text/languages.ts', {
        languageOf: () => () => 'en' as const,
      }),
    ],
  },
];
