import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Decisions. */
export const decisions: Catalogue = {
  Title: 'Titel',
  Status: 'Status',
  Project: 'Projekt',
  'Decided on': 'Entschieden am',
  'A decision needs a title.': 'Eine Entscheidung braucht einen Titel.',
  'A new decision': 'Eine neue Entscheidung',
  'The decision': 'Die Entscheidung',
  'Here is what you wrote before and did not save. Nobody else has seen it.':
    'Hier ist, was du zuvor geschrieben und nicht gespeichert hast. Niemand sonst hat es gesehen.',
  'Create decision': 'Entscheidung anlegen',
  Save: 'Speichern',
  'Everybody from outside with a guest key of this team will see {title}: its whole text, its tasks, and your name as who wrote it. Their tools may keep a copy.':
    'Alle Externen mit einem Gastschlüssel dieses Teams sehen dann {title}: den ganzen Text, die Aufgaben und dass du es geschrieben hast. Ihre Programme behalten vielleicht eine Kopie.',
  'You can take it back to the team later, but what was read cannot be unread.':
    'Du kannst es später wieder auf das Team beschränken, aber was gelesen wurde, bleibt gelesen.',
  'The team sees it as soon as you save.': 'Das Team sieht es, sobald du speicherst.',
  'The team and its guests see it as soon as you save.':
    'Das Team und seine Gäste sehen es, sobald du speicherst.',
  'Guests lose sight of it at once.': 'Gäste sehen es sofort nicht mehr.',
  'What was decided, in one sentence': 'Was entschieden wurde, in einem Satz',
  none: 'keine Angabe',
  'The text': 'Der Text',
  Write: 'Schreiben',
  Preview: 'Vorschau',
  'Why, what else was considered, and what follows from it.':
    'Warum, welche Alternativen es gab und was daraus folgt.',
  'Markdown. A line that begins with - [ ] becomes a task.':
    'Markdown. Eine Zeile, die mit - [ ] beginnt, wird zu einer Aufgabe.',
  'There is no text yet.': 'Es gibt noch keinen Text.',
  'Who sees it': 'Wer es sieht',
  History: 'Verlauf',
  Now: 'Jetzt',
  'Write on from here': 'Von hier aus weiterschreiben',
  'The oldest version that is kept:': 'Die älteste Version, die es noch gibt:',
  'Differences of the version of {when}': 'Unterschiede der Version vom {when}',
  'Hidden or shown again, without another change.':
    'Ausgeblendet oder wieder eingeblendet, ohne weitere Änderung.',
  'Show {count} more': ['Noch 1 anzeigen', 'Noch {count} anzeigen'],
  Decision: 'Entscheidung',
  'There is no such decision': 'Diese Entscheidung gibt es nicht',
  'It may have been removed or hidden. <link>All decisions</link>':
    'Sie wurde vielleicht entfernt oder ausgeblendet. <link>Alle Entscheidungen</link>',
  'This decision is hidden. Nobody finds it in lists, answers or searches until it is shown again.':
    'Diese Entscheidung ist ausgeblendet. Niemand findet sie in Listen, Antworten oder Suchen, bis sie wieder eingeblendet wird.',
  'What to see of the decision': 'Was von der Entscheidung zu sehen ist',
  'This decision has no text, only its title.': 'Diese Entscheidung hat keinen Text, nur ihren Titel.',
  Hidden: 'Ausgeblendet',
  'decided on {day}': 'entschieden am {day}',
  'written by {updated_by}, {when}': 'geschrieben von {updated_by}, {when}',
  'Show again': 'Wieder einblenden',
  Hide: 'Ausblenden',
  Edit: 'Bearbeiten',
  'Go on writing': 'Weiterschreiben',
  'Hide this decision?': 'Diese Entscheidung ausblenden?',
  'Every reader loses sight of {title}, and so do lists, answers and searches. Its text is kept: you find it under the status “Hidden” and can show it again.':
    'Niemand sieht {title} mehr, auch nicht in Listen, Antworten und Suchen. Der Text bleibt erhalten: Du findest ihn unter dem Status „Ausgeblendet“ und kannst ihn wieder einblenden.',
  'What the team has decided, what it is still thinking about, and why.':
    'Was das Team entschieden hat, worüber es noch nachdenkt und warum.',
  'New decision': 'Neue Entscheidung',
  'Which decisions': 'Welche Entscheidungen',
  All: 'Alle',
  'Title contains': 'Titel enthält',
  'No decision fits': 'Keine Entscheidung passt',
  'Show all decisions': 'Alle Entscheidungen anzeigen',
  'No decision has this status, project and title together.':
    'Keine Entscheidung hat zugleich diesen Status, dieses Projekt und diesen Titel.',
  '{count} decisions': ['1 Entscheidung', '{count} Entscheidungen'],
  'Loading more decisions': 'Weitere Entscheidungen werden geladen',
  'No decisions': 'Keine Entscheidungen',
  'The team has no decision that it shares with you.': 'Das Team teilt bisher keine Entscheidung mit dir.',
  'Nothing decided yet': 'Noch nichts entschieden',
  'Write the first decision': 'Die erste Entscheidung schreiben',
  'Write down what was decided and why, so that nobody has to ask again. Write it here, or in a terminal:':
    'Schreib auf, was entschieden wurde und warum, damit niemand noch einmal fragen muss. Schreib es hier oder in einem Terminal:',
  'Edit decision': 'Entscheidung bearbeiten',
  'This decision cannot be edited now': 'Diese Entscheidung kann jetzt nicht bearbeitet werden',
  'It is hidden. Show it again first:': 'Sie ist ausgeblendet. Blende sie zuerst wieder ein:',
  'Your key does not change it.': 'Mit deinem Schlüssel kannst du sie nicht ändern.',
  'No decision is hidden': 'Keine Entscheidung ist ausgeblendet',
  'Hide a decision on its own page. Readers lose sight of it, and it can be shown again from here.':
    'Ausblenden kannst du eine Entscheidung auf ihrer eigenen Seite. Dann sieht niemand sie mehr, und hier kannst du sie wieder einblenden.',
  'Your key writes no decisions': 'Mit deinem Schlüssel kannst du keine Entscheidungen schreiben',
  'Decisions are written by members of the team whose key may write.':
    'Entscheidungen schreiben Mitglieder des Teams, deren Schlüssel schreiben darf.',
};
