import { createHash } from 'node:crypto';
import { buildVersion } from '@teammemory/config/product-version.ts';
import { adviceFor, sharesOf } from '@teammemory/scan/rubric/advice.ts';
import { type Finding, type RepositoryScan, rubric } from '@teammemory/scan/rubric/scan-repository.ts';
import { placeOf } from './text.ts';

/** Checks below this weight are notes. */
const minWarningWeight = 6;
/** Places listed of a check; the other formats have all. */
const maxPlaces = 5;

/** Returns the failed and the waived checks as SARIF 2.1.0. A check that misses a file has no location. */
export function sarifLog({ findings }: RepositoryScan): object {
  const shown = findings.filter(({ status }) => status === 'fail' || status === 'waived');
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'tms scan',
            version: buildVersion,
            rules: rubric.map(({ id, title, rests_on, fix, weight }) => ({
              id,
              shortDescription: { text: title },
              fullDescription: { text: rests_on },
              help: { text: fix },
              defaultConfiguration: { level: weight < minWarningWeight ? 'note' : 'warning' },
            })),
          },
        },
        results: shown.map(sarifResult),
      },
    ],
  };
}

function sarifResult(finding: Finding): object {
  const { check, workspace = '', path, line, reason, waiver } = finding;
  const ruleIndex = rubric.findIndex(({ id }) => id === check);
  const { fix = '', weight = 0 } = rubric[ruleIndex] ?? {};
  const where = workspace === '' ? '' : `${workspace}: `;
  const location = path === undefined ? undefined : locationOf(path, line);
  // The line is left out of the fingerprint, because it moves with every edit above it.
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([check, workspace, path ?? '']))
    .digest('hex');
  return {
    ruleId: check,
    ruleIndex,
    level: weight < minWarningWeight ? 'note' : 'warning',
    message: { text: `${withoutLinks(where + reason)} ${fix}` },
    partialFingerprints: { 'check/v1': fingerprint },
    ...(location !== undefined && { locations: [location] }),
    ...(waiver !== undefined && { suppressions: [{ kind: 'external', justification: waiver.reason }] }),
  };
}

/** Names come from strangers, and brackets make links in a message (SARIF 2.1.0, 3.11.6). */
function withoutLinks(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&');
}

function locationOf(path: string, line: number | undefined): object {
  const artifactLocation = {
    uri: path.toWellFormed().split('/').map(encodeURIComponent).join('/'),
    uriBaseId: '%SRCROOT%',
  };
  return {
    physicalLocation:
      line === undefined ? { artifactLocation } : { artifactLocation, region: { startLine: line } },
  };
}

/** Returns a scan for the summary of a job or a comment. Names of files come from strangers and are no markup. */
export function scanMarkdown(scan: RepositoryScan, name: string): string {
  const pillarRows = sharesOf(scan).map(([pillar, share]) => {
    const { passed, total } = scan.pillars[pillar];
    const words = share === undefined ? 'does not apply' : `${Math.round(share * 100)} %`;
    return `| ${pillar.replace('_', '-')} | ${words} | ${passed} of ${total} |`;
  });
  const advice = adviceFor(scan).flatMap(({ check, fix, gain, failures }) => [
    `- **+${gain.toFixed(1)}** ${escaped(fix)} (\`${check}\`)`,
    ...failures.slice(0, maxPlaces).map((each) => `  - ${escaped(placeOf(each) + each.reason)}`),
  ]);
  const waived = scan.findings
    .filter(({ status }) => status === 'waived')
    .map(
      ({ check, waiver }) =>
        `- \`${check}\` is waived until ${waiver?.until}: ${escaped(waiver?.reason ?? '')}`,
    );
  return [
    `## ${escaped(name)}: ${scan.level}, ${scan.percentage} %`,
    '',
    '| pillar | earned | checks |',
    '|---|---|---|',
    ...pillarRows,
    ...(advice.length > 0 ? ['', '### What to do next', '', ...advice] : []),
    ...(waived.length > 0 ? ['', ...waived] : []),
  ].join('\n');
}

/** Takes out what Markdown or HTML would mean, mentions and references too. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[&<>]/g, (each) => `&#${each.charCodeAt(0)};`)
    .replace(/[\\`*_{}[\]()#+!|~^$-]/g, '\\$&')
    .replace(/[@]/g, '&#64;')
    .replace(/:\/\//g, ':&#47;&#47;');
}

const colours = { L0: '#b42318', L1: '#b54708', L2: '#a15c07', L3: '#4d7c0f', L4: '#15803d', L5: '#166534' };

/** Returns a badge as an SVG image that needs no other service. */
export function scanBadge({ level, percentage }: RepositoryScan): string {
  const words = `${level} · ${Math.round(percentage)} %`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="190" height="20" role="img" aria-label="agent readiness: ${words}">
<title>agent readiness: ${words}</title>
<rect width="110" height="20" fill="#444"/><rect x="110" width="80" height="20" fill="${colours[level]}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
<text x="55" y="14">agent readiness</text><text x="150" y="14">${words}</text></g></svg>`;
}
