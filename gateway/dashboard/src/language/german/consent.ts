import type { Catalogue } from '../catalogue.ts';

/** Texts of the page on which a person lets an app act. */
export const consent: Catalogue = {
  'Connect an app': 'Eine App verbinden',
  '{host} asks to act for you': '{host} möchte für dich handeln',
  'An app that registered itself asks to act for you':
    'Eine App, die sich selbst registriert hat, möchte für dich handeln',
  'The app asked in a way that this service does not know: {reason}.':
    'Die App fragt auf eine Weise, die dieser Dienst nicht kennt: {reason}.',
  'Back to {host}': 'Zurück zu {host}',
  'Back to the program on this machine': 'Zurück zum Programm auf diesem Rechner',
  'It will act as {member} in the team {team}, and see everything of the team.':
    'Die App handelt als {member} im Team {team} und sieht alles, was das Team hat.',
  'It will act as {member} in the team {team}, and see what the team marked for guests.':
    'Die App handelt als {member} im Team {team} und sieht, was das Team für Gäste freigegeben hat.',
  'The app calls itself “{name}”. Nobody has checked this name.':
    'Die App nennt sich „{name}“. Niemand hat diesen Namen geprüft.',
  'Go on only if you have just started this in a program on this machine.':
    'Mach nur weiter, wenn du das gerade in einem Programm auf diesem Rechner begonnen hast.',
  'Go on only if you have just started this at {host}.':
    'Mach nur weiter, wenn du das gerade bei {host} begonnen hast.',
  'What the app may do': 'Was die App darf',
  'Read and ask, and change nothing': 'Lesen und fragen, nichts ändern',
  'Also propose items, which wait until a member accepts them':
    'Auch Einträge vorschlagen, die warten, bis ein Mitglied sie annimmt',
  'Also add items, and change those that you wrote last':
    'Auch Einträge hinzufügen und die ändern, die du zuletzt geschrieben hast',
  'Also change everything that you see': 'Auch alles ändern, was du siehst',
  'For how long': 'Für wie lange',
  'Never longer than your own key. You can end it before on the page Team or Connect.':
    'Nie länger, als dein eigener Schlüssel gilt. Vorher beenden kannst du es auf der Seite Team oder Verbinden.',
  'For a day': 'Einen Tag',
  'For {days} days': '{days} Tage',
  'Let it act': 'Erlauben',
  Decline: 'Ablehnen',
};
