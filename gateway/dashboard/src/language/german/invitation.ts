import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Invitation. */
export const invitation: Catalogue = {
  Invitation: 'Einladung',
  'The link of the invitation leads here. Open it again, as you got it.':
    'Der Link der Einladung führt hierher. Öffne ihn noch einmal, so wie du ihn bekommen hast.',
  'You are signed in as {member} of {team} in this browser. Sign out to join with the invitation.':
    'Du bist in diesem Browser als {member} von {team} angemeldet. Melde dich ab, um die Einladung anzunehmen.',
  'Stay signed in': 'Angemeldet bleiben',
  'Ask whoever invited you for a new link.':
    'Bitte die Person, die dich eingeladen hat, um einen neuen Link.',
  'Join {team_name}': '{team_name} beitreten',
  'You read and ask, and change nothing.': 'Du liest und fragst und änderst nichts.',
  'You propose items, which wait until a member accepts them.':
    'Du schlägst Einträge vor, die warten, bis ein Mitglied sie annimmt.',
  'You add items, and change those that you wrote last.':
    'Du fügst Einträge hinzu und änderst die, die du zuletzt geschrieben hast.',
  'You change everything that you see.': 'Du änderst alles, was du siehst.',
  '{invited_by} invites you as an administrator of the team {team}.':
    '{invited_by} lädt dich als Admin in das Team {team} ein.',
  '{invited_by} invites you as a member of the team {team}.':
    '{invited_by} lädt dich als Mitglied in das Team {team} ein.',
  'You will see everything of the team.': 'Du siehst dann alles, was das Team hat.',
  'You will see what the team marked for guests.': 'Du siehst dann, was das Team für Gäste freigegeben hat.',
  'The invitation ends {when}.': 'Die Einladung läuft {when} ab.',
  'Your name in the team': 'Dein Name im Team',
  '1 to 64 of a–z, 0–9, dot, underscore and hyphen. It never changes, and everything you write carries it.':
    '1 bis 64 Zeichen aus a–z, 0–9, Punkt, Unterstrich und Bindestrich. Er lässt sich nicht mehr ändern und steht an allem, was du schreibst.',
  Join: 'Beitreten',
  'You are in': 'Du bist dabei',
  'You are signed in as {member} in this browser.': 'Du bist in diesem Browser als {member} angemeldet.',
  'Your key is shown only now; the service keeps no copy of it. Store it where you keep passwords.':
    'Dein Schlüssel wird nur jetzt angezeigt; der Dienst behält keine Kopie davon. Bewahre ihn dort auf, wo du Passwörter aufbewahrst.',
  'Open Team Memory': 'Team Memory öffnen',
};
