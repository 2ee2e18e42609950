import type { Catalogue } from '../catalogue.ts';

/** Texts of the page News. */
export const news: Catalogue = {
  changed: 'geändert',
  'was removed': 'wurde entfernt',
  'is open': 'ist offen',
  'is done': 'ist erledigt',
  'was cancelled': 'wurde abgebrochen',
  'a decision': 'eine Entscheidung',
  'A decision': 'Eine Entscheidung',
  cancelled: 'abgebrochen',
  'Who changed what: items, tasks and decisions, the newest first.':
    'Wer was geändert hat: Einträge, Aufgaben und Entscheidungen, das Neueste zuerst.',
  'Notes that should be checked again: their day has passed.':
    'Notizen, die zu prüfen sind: Ihr Termin ist vorbei.',
  'What to see': 'Was zu sehen ist',
  Changes: 'Änderungen',
  'Yours to check': 'Von dir zu prüfen',
  'All to check': 'Alle zu prüfenden',
  'No note waits to be checked': 'Keine Notiz ist zu prüfen',
  'The front matter of a note says when to check it: review_by: 2027-03-01, or stale_after: 90d.':
    'In den Kopfdaten einer Notiz steht, wann sie zu prüfen ist: review_by: 2027-03-01 oder stale_after: 90d.',
  'Notes to be checked, the oldest day first': 'Zu prüfende Notizen, der älteste Termin zuerst',
  Note: 'Notiz',
  Since: 'Seit',
  'Last written by': 'Zuletzt geschrieben von',
  'Only the first {count} are shown.': 'Nur die ersten {count} werden angezeigt.',
  'Show more days': 'Weitere Tage anzeigen',
  'Show earlier days': 'Frühere Tage anzeigen',
  Live: 'Live',
  'Not live: connecting': 'Nicht live: Verbindung wird aufgebaut',
  'Show {count} more of {all}': ['Noch 1 von {all} anzeigen', 'Noch {count} von {all} anzeigen'],
  '{count} tasks changed': ['Eine Aufgabe geändert', '{count} Aufgaben geändert'],
  '{count} items removed': ['Ein Eintrag entfernt', '{count} Einträge entfernt'],
  '{by} changed {count} items': ['{by} hat einen Eintrag geändert', '{by} hat {count} Einträge geändert'],
  '{count} decisions removed': ['Eine Entscheidung entfernt', '{count} Entscheidungen entfernt'],
  '{by} wrote {count} decisions': [
    '{by} hat eine Entscheidung geschrieben',
    '{by} hat {count} Entscheidungen geschrieben',
  ],
  'Nothing is new': 'Nichts Neues',
  'What the team changes of what it shares with guests shows here.':
    'Hier erscheint, was das Team an den für Gäste freigegebenen Inhalten ändert.',
  'Nothing has happened yet': 'Noch ist nichts passiert',
  'Each change of an item, task or decision shows here a moment later. Put a folder in step with the team to begin:':
    'Jede Änderung an einem Eintrag, einer Aufgabe oder einer Entscheidung erscheint kurz darauf hier. Synchronisiere zum Anfang einen Ordner mit dem Team:',
};
