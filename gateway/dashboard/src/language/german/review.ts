import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Review, and of a member's own proposals. */
export const review: Catalogue = {
  Waits: 'Wartet',
  Declined: 'Abgelehnt',
  'Accepted, with changes': 'Angenommen, mit Änderungen',
  'by {member}, with the key {key}': 'von {member}, mit dem Schlüssel {key}',
  'decided by {member}': 'entschieden von {member}',
  'What agents and people propose with keys that only propose. Nobody else sees it until you accept it.':
    'Was Agenten und Personen mit Schlüsseln vorschlagen, die nur vorschlagen. Niemand sonst sieht es, bis du es annimmst.',
  'Which proposals': 'Welche Vorschläge',
  Waiting: 'Wartend',
  Decided: 'Entschieden',
  'Nothing waits for you': 'Nichts wartet auf dich',
  'A key with access “Propose” is right for an agent that writes: what it pushes waits here.':
    'Ein Schlüssel mit dem Zugang „Vorschlagen“ ist richtig für einen Agenten, der schreibt: Was er überträgt, wartet hier.',
  Change: 'Änderung',
  'Nothing was decided yet': 'Noch nichts entschieden',
  Proposal: 'Vorschlag',
  'There is no such proposal': 'Diesen Vorschlag gibt es nicht',
  'It may have been withdrawn, or replaced by a newer one. <link>All proposals</link>':
    'Vielleicht wurde er zurückgezogen oder durch einen neueren ersetzt. <link>Alle Vorschläge</link>',
  'It is decided, and its text is not kept. <link>All proposals</link>':
    'Er ist entschieden, und sein Text wird nicht aufbewahrt. <link>Alle Vorschläge</link>',
  'The note was removed after this was proposed. Accepting makes it anew.':
    'Die Notiz wurde nach dem Vorschlag entfernt. Wenn du ihn annimmst, entsteht sie neu.',
  'The note was changed after this was proposed. Accepting replaces the present text: compare.':
    'Die Notiz wurde nach dem Vorschlag geändert. Wenn du ihn annimmst, ersetzt er den jetzigen Text: Vergleiche.',
  'Somebody has changed the note, or decided, since you opened this. Nothing was stored.':
    'Jemand hat die Notiz geändert oder entschieden, seit du dies geöffnet hast. Nichts wurde gespeichert.',
  Accept: 'Annehmen',
  'Edit, then accept': 'Bearbeiten, dann annehmen',
  'The new note': 'Die neue Notiz',
  'What it changes': 'Was er ändert',
  'Guests of the team will see {path} as soon as you accept it.':
    'Gäste des Teams sehen {path}, sobald du ihn annimmst.',
  'Decline this proposal?': 'Diesen Vorschlag ablehnen?',
  'Whoever proposed it reads this. The text of the proposal is not kept.':
    'Wer ihn vorgeschlagen hat, liest das. Der Text des Vorschlags wird nicht aufbewahrt.',
  'The proposal': 'Der Vorschlag',
  'Accept what you edited': 'Bearbeitetes annehmen',
  'Your proposals': 'Deine Vorschläge',
  'There are older ones.': 'Es gibt ältere.',
};
