import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Projects. */
export const projects: Catalogue = {
  'New project': 'Neues Projekt',
  'Create project': 'Projekt anlegen',
  Name: 'Name',
  'What people read. You can change it later.': 'Was andere lesen. Du kannst ihn später ändern.',
  Slug: 'Kurzname',
  'What items and decisions name it by: a to z, 0 to 9 and hyphens. It cannot be changed later.':
    'Womit Einträge und Entscheidungen es nennen: a bis z, 0 bis 9 und Bindestriche. Er lässt sich später nicht ändern.',
  'Only a to z, 0 to 9 and hyphens, with a letter or digit at both ends.':
    'Nur a bis z, 0 bis 9 und Bindestriche, mit einem Buchstaben oder einer Ziffer an beiden Enden.',
  'Rename project': 'Projekt umbenennen',
  Rename: 'Umbenennen',
  'Everybody on the team sees it. The slug {slug} stays, and so does all that names it.':
    'Alle im Team sehen es. Der Kurzname {slug} bleibt, und alles, was ihn nennt, auch.',
  'There is no such project': 'Dieses Projekt gibt es nicht',
  'No item names it any more, or it was removed. <link>All projects</link>':
    'Kein Eintrag nennt es mehr, oder es wurde entfernt. <link>Alle Projekte</link>',
  'Open tasks': 'Offene Aufgaben',
  'All tasks of this project': 'Alle Aufgaben dieses Projekts',
  'No open task belongs to this project.': 'Keine offene Aufgabe gehört zu diesem Projekt.',
  'No decision belongs to this project.': 'Keine Entscheidung gehört zu diesem Projekt.',
  Items: 'Einträge',
  'No item names this project yet. An item does by its path, projects/{slug}/…, or with “project: {slug}” in its front matter.':
    'Noch nennt kein Eintrag dieses Projekt. Ein Eintrag tut es durch seinen Pfad, projects/{slug}/…, oder mit „project: {slug}“ in seinen Kopfdaten.',
  'Read more items': 'Weitere Einträge lesen',
  'Show more': 'Mehr zeigen',
  'What items, tasks and decisions belong to.': 'Wozu Einträge, Aufgaben und Entscheidungen gehören.',
  'No projects yet': 'Noch keine Projekte',
  'Create one here, or put a file into a folder of its name, in a folder that is in step with the team:':
    'Lege hier eines an, oder lege eine Datei in einen Ordner mit dem Namen des Projekts, in einem Ordner, der mit dem Team abgeglichen wird:',
  'Name contains': 'Name enthält',
  'No project has “{words}” in its name.': 'Kein Projekt hat „{words}“ im Namen.',
  'No items yet': 'Noch keine Einträge',
  'Rename {name}': '{name} umbenennen',
  '{count} open tasks': ['1 offene Aufgabe', '{count} offene Aufgaben'],
  '{count}+ open tasks': '{count}+ offene Aufgaben',
  'changed {when}': 'geändert {when}',
};
