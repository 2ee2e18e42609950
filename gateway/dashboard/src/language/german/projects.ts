import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Projects. */
export const projects: Catalogue = {
  'New project': 'Neues Projekt',
  'Create project': 'Projekt anlegen',
  Name: 'Name',
  'What people read. You can change it later.':
    'So wird das Projekt angezeigt. Du kannst den Namen später ändern.',
  Slug: 'Kurzname',
  'What items and decisions name it by: a to z, 0 to 9 and hyphens. It cannot be changed later.':
    'Damit verweisen Einträge und Entscheidungen auf das Projekt: a bis z, 0 bis 9 und Bindestriche. Er lässt sich später nicht ändern.',
  'Only a to z, 0 to 9 and hyphens, with a letter or digit at both ends.':
    'Nur a bis z, 0 bis 9 und Bindestriche, mit einem Buchstaben oder einer Ziffer an beiden Enden.',
  'Rename project': 'Projekt umbenennen',
  Rename: 'Umbenennen',
  'Everybody on the team sees it. The slug {slug} stays, and so does all that names it.':
    'Alle im Team sehen den neuen Namen. Der Kurzname {slug} bleibt, ebenso alles, was auf ihn verweist.',
  'There is no such project': 'Dieses Projekt gibt es nicht',
  'No item names it any more, or it was removed. <link>All projects</link>':
    'Kein Eintrag verweist mehr darauf, oder es wurde entfernt. <link>Alle Projekte</link>',
  'Open tasks': 'Offene Aufgaben',
  'All tasks of this project': 'Alle Aufgaben dieses Projekts',
  'No open task belongs to this project.': 'Keine offene Aufgabe gehört zu diesem Projekt.',
  'No decision belongs to this project.': 'Keine Entscheidung gehört zu diesem Projekt.',
  Items: 'Einträge',
  'No item names this project yet. An item does by its path, projects/{slug}/…, or with “project: {slug}” in its front matter.':
    'Noch gehört kein Eintrag zu diesem Projekt. Ein Eintrag gehört dazu, wenn sein Pfad mit projects/{slug}/… beginnt oder in seinen Kopfdaten „project: {slug}“ steht.',
  'Read more items': 'Weitere Einträge laden',
  'Show more': 'Mehr anzeigen',
  'What items, tasks and decisions belong to.': 'Wozu Einträge, Aufgaben und Entscheidungen gehören.',
  'No projects yet': 'Noch keine Projekte',
  'Create one here, or put a file into a folder of its name, in a folder that is in step with the team:':
    'Leg hier eines an. Oder leg in einem mit dem Team synchronisierten Ordner eine Datei in einen Ordner mit dem Namen des Projekts:',
  'Name contains': 'Name enthält',
  'No project has “{words}” in its name.': 'Kein Projekt hat „{words}“ im Namen.',
  'No items yet': 'Noch keine Einträge',
  'Rename {name}': '{name} umbenennen',
  '{count} open tasks': ['1 offene Aufgabe', '{count} offene Aufgaben'],
  '{count}+ open tasks': '{count}+ offene Aufgaben',
  'changed {when}': 'geändert {when}',
};
