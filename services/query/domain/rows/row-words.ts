import type { Span } from '../text/sentences.ts';
import type { RowKind } from './row.ts';

/** Nouns for rows in English, German, French, Spanish, Italian, Dutch and Portuguese: one of them, and several. */
const nouns: Record<RowKind, { one: string; several: string }> = {
  task: {
    one: 'task todo to-do aufgabe tâche tache tarea compito attività taak tarefa',
    several: 'tasks todos to-dos aufgaben tâches taches tareas compiti taken tarefas',
  },
  decision: {
    one: 'decision entscheidung beschluss décision decisión decisione besluit beslissing decisão',
    several:
      'decisions entscheidungen beschlüsse décisions decisiones decisioni besluiten beslissingen decisões',
  },
  project: {
    one: 'project projekt projet proyecto progetto projeto',
    several: 'projects projekte projekten projets proyectos progetti projecten projetos',
  },
};

/** What several words say, as one word of the lists here. */
const phrases: [pattern: RegExp, word: string][] = [
  // Behind words that named times, as "overdue" does.
  [/(?<=\ue000) {1,3}(?:items?|points?)\b/gu, ' tasks'],
  [
    /\b(?:without an?|without|no|ohne|sans|sin) (?:due dates?|deadlines?|fälligkeit|termine?|échéance|fecha)(?!\p{L})/giu,
    'undated',
  ],
  [/\b(?:action|to[- ]?do)[- ](?:item|point)(s?)\b/giu, 'task$1'],
  [/\b(?:to[- ]?do|task) lists?\b/giu, 'tasks'],
  [/\bto dos\b/giu, 'tasks'],
  [/\b(open|offene\p{L}?) (?:points?|items?|ends?|punkte?)\b/giu, '$1 tasks'],
  [
    /\b(?:no|without an?|without|ohne|sans|sin) (?:owners?|assignees?|verantwortliche\p{L}?|responsable)\b/giu,
    'unassigned',
  ],
  [/\bnot (?:yet )?(?:assigned|owned)\b(?: to (?:anyone|anybody))?/giu, 'unassigned'],
  // "Left to do", "still to be done" and "what Lea has to finish" ask for what is open.
  [/\bto (?:be )?(?:do|done|finish|finished|complete|completed)\b/giu, 'open'],
  [/\b(?:zu tun|zu erledigen|à faire|por hacer|da fare|te doen|a fazer)\b/giu, 'open'],
  [/\b(?:under discussion|not decided|to be decided)\b/giu, 'proposed'],
  [/\b(?:in force|in effect)\b/giu, 'accepted'],
  [/\bturned down\b/giu, 'rejected'],
  [/\bhow many\b|\bwie viele\b|\bcombien de\b/giu, 'count'],
  [/\bresponsible for\b/giu, 'responsible'],
  [/\bdue dates?\b/giu, 'due'],
];

/** Where rows stand, and what people call it. */
const statuses: [kind: RowKind, status: string, words: string][] = [
  [
    'task',
    'open',
    `open unfinished pending outstanding remaining remains left unresolved incomplete undone ongoing offen offene offenen offener
    unerledigt unerledigte erledigen ausstehend ausstehende ouvert ouverte ouverts ouvertes restantes abierta abiertas pendiente pendientes aperti
    aperte aperta openstaande abertas abertos pendentes`,
  ],
  [
    'task',
    'done',
    `done finish finished completed closed complete erledigt erledigte erledigten abgeschlossen abgeschlossene fertig terminé terminée
    terminées terminés faites terminada terminadas hechas completate finite afgerond klaar concluídas feitas`,
  ],
  [
    'task',
    'cancelled',
    `cancelled canceled dropped abandoned abgebrochen abgebrochene gestrichen gestrichene storniert annulé annulée annulés annulées
    cancelada canceladas annullate geannuleerd`,
  ],
  [
    'decision',
    'proposed',
    `proposed pending undecided open vorgeschlagen vorgeschlagene offen offene proposé proposée proposées propuesta propuestas
    pendientes proposte voorgesteld propostas`,
  ],
  [
    'decision',
    'accepted',
    `accepted approved adopted valid hold holds apply applies gelten angenommen angenommene genehmigt gültig gültige accepté acceptée acceptées aceptada aceptadas
    accettate aangenomen aceitas`,
  ],
  [
    'decision',
    'superseded',
    `superseded replaced outdated obsolete ersetzt ersetzte überholt überholte remplacé remplacée remplacées reemplazada reemplazadas
    sostituite vervangen substituídas`,
  ],
  [
    'decision',
    'rejected',
    `rejected declined abgelehnt abgelehnte abgelehnten verworfen verworfene rejeté rejetée rejetées refusées rechazada rechazadas
    respinte rifiutate afgewezen rejeitadas`,
  ],
];

/** Words that ask, tie together or repeat what a list is, and leave nothing out of it. */
const functionWords = `
  a about affect affecting affects again all already an and any anything are as assigned assignee at be been being belong belonging belongs
  but by can company concern concerning concerns contain containing could count currently did do does doing each entries entry every everybody everyone
  everything exist existing exists far for from get give got had has have having in into involve involving is it its keep kind know known
  let list lists log made make making me mention mentioning mentions must need needs next number of on our out over overview own owned owner owners owns
  please recorded regarding related relating responsible see shall should show so some status still tag tagged tags take taken team tell that the
  their them there these they this those to total touch touching under up upcoming us was we were what when which who whose will with
  work working works would yet you
  alle allen aller alles als am an arbeitet arbeiten auf aus bei bisher das dem den der des die ein eine einen er es für gab gefällt gemacht
  getroffen gibt haben hat hatte ihre im in ist liste mit muss müssen noch nach sich sie sind soll sollen sowie uns unsere unserem unseren über und von
  vom wann war waren was welche welchen welcher welches wer wir wird wofür woran worden wurde wurden zeig zeige zu zugewiesen zum zur zuständig mir
  à a au aux avec avons ce ces concernant dans de des du elle en encore est et été il ils la le les liste montre nous on ont par pour prises
  qu quel quelle quelles quels que qui quoi reste sont sur toutes tous travaille un une y
  con cuál cuáles cuántas cuántos de del el en están está fueron ha han hay la las lista los para por qué quién se sido sin son sobre tenemos tiene todas
  todos trabaja una y
  che chi con da dei del della delle di gli ha hanno i il ci sono su quali quale quante
  aan bij de door een er hebben heeft het hoeveel met om onze op van voor waar welke werkt wie wij zijn
  ao as com da das do dos e em foram há na nas nos o os para por quais qual quem são temos tem
`;
/** Who or what is asked about cannot be known, or is told and not listed. */
const refusedWords = `
  i my mine how why where if when's warum wieso weshalb wie wo ich mein meine meinen comment pourquoi où mes mon moi cómo como dónde
  mis mi come perché dove waarom hoe waar mijn onde porque minhas
`;
const dueWords =
  'due deadline deadlines fällig fällige fälligen échéance échéances vencen vence scadenza vervalt';
const decideWords =
  'decide decided deciding entschieden beschlossen entscheiden décidé decidimos decidido deciso besloten decidimos';
const workWords = 'assigned zugewiesen working works arbeitet travaille trabaja lavora werkt trabalha plate';
const changedWords = 'changed updated touched geändert modifiées actualizadas';
const lookupWords =
  'own owns owner assigned assignee responsible does doing handles zuständig verantwortlich';
/** Words that, said of decisions, ask for those that hold. */
const presentWords =
  /^(?:current|now|today|aktuell|derzeit|jetzt|heute|gegenw|actuel|actual|ahora|attual|huidig|nu$|atual|agora|at )/i;
const negations = 'not nicht pas no non niet não neither never';

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Words of a question by what they say of rows. */
export const rowWords = {
  functionWords: set(functionWords),
  refused: set(refusedWords),
  due: set(dueWords),
  decide: set(decideWords),
  work: set(workWords),
  changed: set(changedWords),
  lookup: set(lookupWords),
  negations: set(negations),
  /** Of words for the present state those that mean what holds, not what is newest. */
  present: presentWords,
  /** Words before one of several: "which task", "any task". */
  choosing: set(
    'which what any every each no next single welche welches welcher jede jedes quelle quel qué cuál quale welke qual',
  ),
  all: set('all alle allen aller toutes tous todas todos tutte tutti every'),
  unassigned: set('unassigned unowned'),
  /** Of these one is enough to answer in German. */
  undated: set('undated'),
  /** Of these one is enough for an answer in German. */
  german: set(
    'aufgabe aufgaben entscheidung entscheidungen beschluss beschlüsse projekte welche welcher woran offene fällig erledigen',
  ),
} as const;

/** The kind of rows that a noun names, and whether it is plural. */
export const kindOfNoun: ReadonlyMap<string, { kind: RowKind; isPlural: boolean }> = new Map(
  (['task', 'decision', 'project'] as const).flatMap((kind) =>
    (['one', 'several'] as const).flatMap((number) =>
      [...set(nouns[kind][number])].map((noun) => [noun, { kind, isPlural: number === 'several' }] as const),
    ),
  ),
);

/** The statuses that a word names, of each kind that has one of that name. */
export const statusesOfWord: ReadonlyMap<string, { kind: RowKind; status: string }[]> = Map.groupBy(
  statuses.flatMap(([kind, status, words]) => [...set(words)].map((word) => ({ word, kind, status }))),
  ({ word }) => word,
);

/** All statuses of a kind. */
export function statusesOfKind(kind: RowKind): string[] {
  return statuses.filter(([each]) => each === kind).map(([, status]) => status);
}

/** The question with one word for each phrase that says what a word says. */
function withoutPhrases(question: string): string {
  return phrases.reduce((text, [pattern, word]) => text.replace(pattern, word), question);
}

/** Stands for words that named times. */
export const time = '\ue000';

/** A word of a question. */
export interface Token {
  /** In lower case. */
  text: string;
  /** 's, @, # or + at it. */
  mark: string;
}

const tokenPattern = /\ue000|[@#+]?[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*(?:['’]\p{L}+)?/giu;
/** Words that stand before an apostrophe, and are no word with a possessive. */
const contracted = /^(what|who|when|where|how|that|there|it|which|everything)['’]s$/u;

/** The words of a question in which parts named times: those parts are one word each, and so are phrases for what a word says. */
export function tokensOf(question: string, times: readonly Span[]): Token[] {
  return [
    ...withoutPhrases(withoutTimes(question, times).normalize('NFC').toLowerCase()).matchAll(tokenPattern),
  ].flatMap(([word]) => {
    const [, bare] = contracted.exec(word) ?? [];
    if (bare !== undefined) return [{ text: bare, mark: '' }];
    const [, elided, rest] = /^(\p{L}{1,2})['’](\p{L}+)$/u.exec(word) ?? [];
    if (elided !== undefined && rest !== undefined && rest.length > 1)
      return [elided, rest].map((text) => ({ text, mark: '' }));
    const mark = /^[@#+]/.exec(word)?.[0] ?? (/['’]s$/.test(word) ? "'s" : '');
    const text = word.replace(/^[@#+]|['’]\p{L}+$/gu, '').replace(/[._-]+$/, '');
    // "TLS-Aufgabe" has the noun of rows in it.
    const [, of, noun] = /^(.+)-(\p{L}+)$/u.exec(text) ?? [];
    if (of !== undefined && noun !== undefined && kindOfNoun.has(noun) && !kindOfNoun.has(text))
      return [of, noun].map((part) => ({ text: part, mark: '' }));
    return text === '' ? [] : [{ text, mark }];
  });
}

function withoutTimes(question: string, spans: readonly Span[]): string {
  let text = '';
  let from = 0;
  for (const { start, end } of spans) {
    text += `${question.slice(from, start)} ${time} `;
    from = Math.max(from, end);
  }
  return text + question.slice(from);
}
