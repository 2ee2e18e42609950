/** Words by which a text says that something else holds now, in English, German, French, Spanish, Italian, Dutch and Portuguese. */
const outdatedWords = [
  'superseded|deprecated|obsolete|outdated|out of date|archived|retired|replaced|withdrawn|expired|rejected|revoked',
  'veraltet\\w{0,2}|überholt|ersetzt|abgelöst|archiviert|ungültig|zurückgezogen|abgelehnt|außer kraft',
  'obsol[èe]te|périmée?|caduque?|remplacée?|archivée?|abrogée?|rejetée?',
  'obsolet[oa]|reemplazad[oa]|sustituid[oa]|archivad[oa]|derogad[oa]|rechazad[oa]|superat[oa]|sostituit[oa]|archiviat[oa]|respint[oa]',
  'verouderd|vervangen|gearchiveerd|vervallen|ingetrokken|afgewezen|substituíd[oa]|arquivad[oa]|revogad[oa]',
].join('|');
const noLonger =
  "(?:no longer|not) (?:valid|in force|current|up to date|true|maintained|in use|used|applicable)|no longer applies|nicht mehr (?:gültig|aktuell)|gilt nicht mehr|(?:n['’]est )?plus (?:valable|en vigueur)|ya no (?:es válid[oa]|está vigente)|non più valid[oa]|niet meer geldig";
/** "Old" says it too, where it is all that a status says. */
const outdatedStatus = new RegExp(
  `^(?:(?:${outdatedWords}|${noLonger})(?!\\p{L})|(?:archive|archiv|old|alt|legacy)(?=\\s*(?:$|[,;:.(])))`,
  'iu',
);

/** Folders that hold what is kept, but no longer holds. */
const outdatedFolder =
  /^(?:archives?|archived?|old|deprecated|obsolete|outdated|superseded|retired|attic|graveyard|archiv|alt|veraltet|archivo|archivio|archief|arquivo)$/i;

/** Marks of Markdown, brackets and signs before the words of a line. */
const marks =
  '^[\\s>*_~#!(\\[|:⚠️🚫❌-]{0,12}(?:(?:note|warning|important|caution|hinweis|achtung|attention|nota)[\\]\\s:*!-]{1,5})?';
/** Behind such a word, where the line says it of the whole text: "Deprecated endpoints are …" speaks of something else. */
const ofAll =
  '(?=[\\s*_~]*(?:$|[.,:;!)\\]–—-]|(?:by|since|in|as of|on|with|durch|seit|am|par|depuis|por|desde|da|dal|door|sinds)(?!\\p{L})))';
const subject =
  '(?:this|these|the|diese[rs]?|die|das|der|ce(?:tte|t|s)?|le|la|est[ea]|quest[oa]|il|dit|deze|het|o|a) (?:[\\p{L}-]{1,20} ){0,3}';
const verb =
  '(?:(?:is|are|was|were|has been|have been|ist|sind|wurde|wurden|est|a été|es|ha sido|fue|è|è stat[oa]|werd|foi) )(?:(?:now|jetzt|inzwischen|nun|maintenant|ahora|ora) )?';
const banner = new RegExp(`${marks}(?:${subject}${verb})?(?:${outdatedWords}|${noLonger})${ofAll}`, 'iu');
const inBrackets = new RegExp(`[(\\[](?:${outdatedWords})[)\\]]`, 'iu');

/** Whether a status says that something else holds now. */
export function isOutdatedStatus(status: string): boolean {
  return outdatedStatus.test(status);
}

/** Whether one of the folders of a path holds what no longer holds. */
export function isInOutdatedFolder(rowKey: string): boolean {
  return rowKey
    .split('/')
    .slice(0, -1)
    .some((folder) => outdatedFolder.test(folder.replace(/^[\W_\d]+|[\W_]+$/g, '')));
}

/** Whether a line at the beginning of a text says of the whole of it that something else holds now. */
export function saysOutdated(line: string): boolean {
  return banner.test(line);
}

/** Whether a title or heading says it: "Expenses (deprecated)". */
export function isTitledOutdated(title: string): boolean {
  return inBrackets.test(title) || banner.test(title);
}
