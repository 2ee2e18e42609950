import { adviceFor, sharesOf } from '@teammemory/scan/rubric/advice.ts';
import type { pillars } from '@teammemory/scan/rubric/check.ts';
import type { Finding, RepositoryScan } from '@teammemory/scan/rubric/scan-repository.ts';
import { columns, oneLine } from '../output.ts';
import { line, lines, type Paint, type TerminalText } from '../terminal.ts';

const barCharacters = 20;
/** Places listed of a check, and workspaces; `--json` has all. */
const maxPlaces = 5;
const maxWorkspaces = 5;

/** Returns a scan for people: pillars as bars, then what to do next. */
export function scanText(scan: RepositoryScan, name: string, paint: Paint): TerminalText {
  return lines(
    [
      [heading(scan, name, paint)],
      sharesOf(scan).map((each) => bar(scan, each, paint)),
      workspaceLines(scan),
      adviceLines(scan, paint),
      restLines(scan, paint),
    ]
      .filter((part) => part.length > 0)
      .map((part, index) => lines(index === 0 ? part : ['', ...part])),
  );
}

function heading({ level, percentage, kind }: RepositoryScan, name: string, paint: Paint): TerminalText {
  return line`${paint('bold', oneLine(name))}: ${paint('bold', level)}, ${percentage} % (${kind.replace('_', ' ')})`;
}

function bar(
  scan: RepositoryScan,
  [pillar, share]: [keyof typeof pillars, number | undefined],
  paint: Paint,
): TerminalText {
  const name = pillar.replace('_', '-').padEnd(13);
  if (share === undefined) return line`${name} ${paint('dim', 'does not apply')}`;
  const full = Math.round(share * barCharacters);
  const filled = paint(share < 0.5 ? 'red' : share < 0.8 ? 'yellow' : 'green', '█'.repeat(full));
  const { passed, total } = scan.pillars[pillar];
  return line`${name} ${filled}${'░'.repeat(barCharacters - full)} ${`${Math.round(share * 100)} %`.padStart(5)}  ${passed} of ${total}`;
}

function workspaceLines({ workspaces }: RepositoryScan): string[] {
  if (workspaces.length === 0) return [];
  const weakest = workspaces.toSorted((one, other) => one.percentage - other.percentage);
  const rows = weakest
    .slice(0, maxWorkspaces)
    .map(({ folder, kind, level, percentage }) => [folder, kind.replace('_', ' '), level, `${percentage} %`]);
  const more = workspaces.length - rows.length;
  return ['Workspaces, the weakest first', ...columns(rows).map((row) => `  ${row}`)].concat(
    more > 0 ? [`  and ${more} more (--json lists all)`] : [],
  );
}

function adviceLines(scan: RepositoryScan, paint: Paint): TerminalText[] {
  const advice = adviceFor(scan);
  if (advice.length === 0) return [];
  return [
    line`What to do next`,
    ...advice.flatMap(({ check, fix, gain, failures }) => [
      line`  ${paint('bold', `+${gain.toFixed(1)}`.padStart(5))}  ${fix} ${paint('dim', `(${check})`)}`,
      ...failures.slice(0, maxPlaces).map((each) => line`         ${placeOf(each)}${each.reason}`),
      ...(failures.length > maxPlaces ? [line`         and ${failures.length - maxPlaces} more`] : []),
    ]),
  ];
}

/** Returns `path:line `, or the workspace, or nothing where there is no place. */
export function placeOf({ path, line: at, workspace }: Finding): string {
  const place = path ?? workspace;
  return place === undefined ? '' : `${oneLine(place)}${at === undefined ? '' : `:${at}`}  `;
}

function restLines({ findings, unused_waivers }: RepositoryScan, paint: Paint): TerminalText[] {
  const unknown = findings.filter(({ status }) => status === 'unknown');
  const waived = findings.filter(({ status }) => status === 'waived');
  return [
    ...unknown.map((each) => line`unknown  ${each.check}: ${placeOf(each)}${each.reason}`),
    ...waived.map(
      ({ check, waiver }) =>
        line`waived   ${check} until ${waiver?.until ?? ''}: ${oneLine(waiver?.reason ?? '')}`,
    ),
    ...unused_waivers.map(({ check, until }) =>
      paint('yellow', `The waiver of ${check} until ${until} does not count.`),
    ),
  ];
}
