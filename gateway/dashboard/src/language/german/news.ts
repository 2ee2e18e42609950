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
