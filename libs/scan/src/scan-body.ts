import { isSlug } from '@teammemory/vocabulary/formats.ts';
import type { Contribution } from './contributions.ts';
import type { Pillar } from './rubric/check.ts';
import type { Finding, RepositoryScan } from './rubric/scan-repository.ts';

/** What names a codebase for the service. */
export interface CodebaseName {
  slug: string;
  full_name: string;
  provider: string;
}

const providers: Readonly<Record<string, string>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
  'codeberg.org': 'codeberg',
};

/**
 * Names a codebase by the address that it was cloned from, of which credentials are left out, or else by its folder.
 */
export function codebaseName(remote: string, folderName: string): CodebaseName {
  const [, host = '', path = ''] =
    /^(?:\w{1,20}:\/\/)?(?:[^@/\s]{1,300}@)?([\w.-]{1,253})(?::\d{1,5}(?=\/))?[:/]([^\s?#]{1,500}?)(?:\.git)?\/?\s*$/.exec(
      remote,
    ) ?? [];
  const fullName = path.replace(/^\/+/, '').slice(-300) || folderName;
  const provider = path === '' ? 'git' : (providers[host.toLowerCase()] ?? host.toLowerCase().slice(0, 64));
  return { slug: slugFrom(fullName), full_name: fullName, provider };
}

/** Makes a slug of the last part of a name. */
function slugFrom(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const slug = last
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '');
  return isSlug(slug) ? slug : 'codebase';
}

/** What became of a check: places, no text. */
export type SentFinding = Pick<Finding, 'check' | 'status' | 'workspace' | 'path' | 'line'>;

/** The most that the service takes of one scan. */
const maxFindings = 200;
const maxPathCharacters = 300;

/** What `POST /codebases` takes. */
export interface ScanBody {
  codebase: CodebaseName;
  metrics: {
    head_sha: string;
    has_assistant_md: boolean;
    has_agents_md: boolean;
    skills_count: number;
    commands_count: number;
    readiness_level: string;
    readiness_pct: number;
    readiness_pillars: Record<Pillar, { passed: number; total: number }>;
    readiness_rubric_version: string;
    findings: SentFinding[];
  };
  contributions: Contribution[];
}

const skills = /^(?:\.[\w-]+\/|\.github\/|plugins\/[^/]+\/)?skills\/([^/]+)\/SKILL\.md$/;
const commands =
  /^(?:\.(?:claude|cursor|opencode|agents|codex)\/(?:commands?|prompts)\/(.+)\.md|\.gemini\/commands\/(.+)\.toml|\.github\/prompts\/(.+)\.prompt\.md)$/;

/** Puts a scan into the form that the service takes. The same skill for two clients is one. */
export function scanBody(
  scan: RepositoryScan,
  known: {
    paths: readonly string[];
    codebase: CodebaseName;
    headSha: string;
    contributions: Contribution[];
  },
): ScanBody {
  const { paths, codebase, headSha, contributions } = known;
  const has = (...names: string[]) => names.some((name) => paths.includes(name));
  const count = (pattern: RegExp) =>
    new Set(
      paths.flatMap(
        (path) =>
          pattern
            .exec(path)
            ?.slice(1)
            .find((name) => name !== undefined) ?? [],
      ),
    ).size;
  return {
    codebase,
    metrics: {
      head_sha: headSha,
      has_assistant_md: has('CLAUDE.md', '.claude/CLAUDE.md'),
      has_agents_md: has('AGENTS.md'),
      skills_count: count(skills),
      commands_count: count(commands),
      readiness_level: scan.level,
      readiness_pct: scan.percentage,
      readiness_pillars: scan.pillars,
      readiness_rubric_version: scan.rubric_version,
      findings: sentFindings(scan.findings),
    },
    contributions,
  };
}

/** Checks that apply, failures first; a place with an odd or very long name is left out. */
function sentFindings(findings: readonly Finding[]): SentFinding[] {
  const applying = findings.filter(({ status }) => status !== 'does_not_apply');
  const sorted = applying.sort(
    (one, other) => Number(other.status === 'fail') - Number(one.status === 'fail'),
  );
  return sorted.slice(0, maxFindings).map(({ check, status, workspace, path, line }) => {
    const sent: SentFinding = { check, status };
    if (isPlace(workspace)) sent.workspace = workspace;
    if (!isPlace(path)) return sent;
    sent.path = path;
    if (line !== undefined) sent.line = line;
    return sent;
  });
}

function isPlace(text: string | undefined): text is string {
  return text !== undefined && text.length <= maxPathCharacters && /^[^\p{Cc}\p{Cs}]+$/u.test(text);
}
