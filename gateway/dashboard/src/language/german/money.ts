import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Money. */
export const money: Catalogue = {
  'Cost of each day; the most on one day was {most}. The days stand in the table below.':
    'Kosten je Tag, höchstens {most} an einem Tag. Die Tage stehen in der Tabelle darunter.',
  'What calls to models cost. A question that could exceed a cap is refused before it is asked.':
    'Was Modellaufrufe kosten. Eine Frage, die eine Obergrenze überschreiten könnte, wird abgelehnt, bevor sie das Modell erreicht.',
  'the team': 'das Team',
  'a removed member': 'ein entferntes Mitglied',
  'Your team today': 'Dein Team heute',
  'You today': 'Du heute',
  'Both begin at zero again {when}. The caps are settings of the service, DAILY_TEAM_CAP_USD and DAILY_MEMBER_CAP_USD.':
    'Beide beginnen {when} wieder bei null. Die Obergrenzen sind Einstellungen des Dienstes: DAILY_TEAM_CAP_USD und DAILY_MEMBER_CAP_USD.',
  'Nothing was spent in the last 30 days': 'In den letzten 30 Tagen wurde nichts ausgegeben',
  'Without a model, answers are quoted from your texts and cost nothing. An operator who sets OPENAI_API_KEY and OPENAI_MODEL lets a model write them.':
    'Ohne Modell bestehen Antworten aus Zitaten eurer Texte und kosten nichts. Wenn die Betreiber OPENAI_API_KEY und OPENAI_MODEL setzen, schreibt ein Modell die Antworten.',
  'The team in the last 30 days: {total}': 'Das Team in den letzten 30 Tagen: {total}',
  'You in the last 30 days: {total}': 'Du in den letzten 30 Tagen: {total}',
  'By member': 'Nach Mitglied',
  'Spending of the last 30 days by member': 'Ausgaben der letzten 30 Tage nach Mitglied',
  Member: 'Mitglied',
  'By model': 'Nach Modell',
  'Spending of the last 30 days by model': 'Ausgaben der letzten 30 Tage nach Modell',
  Model: 'Modell',
  'The days as a table': 'Die Tage als Tabelle',
  'Spending by day': 'Ausgaben nach Tag',
  'Day (UTC)': 'Tag (UTC)',
  Cost: 'Kosten',
  '{spent} of {cap}': '{spent} von {cap}',
  '{title}: {used} of {cap}': '{title}: {used} von {cap}',
  'Nothing is reserved now.': 'Zurzeit ist nichts reserviert.',
  '{reserved} is reserved for calls in progress.': '{reserved} sind für laufende Aufrufe reserviert.',
  Calls: 'Aufrufe',
  Tokens: 'Tokens',
};
