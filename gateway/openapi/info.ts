/** What stands at the beginning of the document. */
export const info = {
  title: 'Team Memory Service',
  version: 'v1',
  summary: "A team's shared memory: push Markdown, pull what changed, ask and get a cited answer.",
  description: `Clients push Markdown items, pull what others changed, ask questions over all of it, and report scans of codebases
and snapshots of maturity.

**Keys.** Every request below \`/api/v1\` carries \`Authorization: Bearer <key>\` and \`X-Svc-Team: <team>\`, the slug of the
key's team. A key has a tier: a team key sees tiers team and external, an external key sees external only. What a key
may not know of is answered exactly like what does not exist.

**Form.** Field names are snake_case, times are RFC 3339 in UTC with three fraction digits. Unknown members of a request
are ignored; clients ignore unknown members of an answer. Every \`GET\` answers \`HEAD\` too.

**Problems.** Every answer outside of 200 to 299 is a problem (RFC 9457) with a stable \`code\`; \`/problems/<code>\` explains
it. The order of checks: key (401), team (403), path and method (404, 405), tier (403), body (413, 415, 400), content
(422), limits (429). What is not HTTP at all is answered with 400 \`invalid_request\`.

**Limits.** Item writes, scans and snapshots are counted per key over a rolling minute, 60 each unless the operator set
other limits. Their endpoints say where the key stands in \`RateLimit-Policy\` and \`RateLimit\`.

**Versions.** The version is \`v1\` in the path. Within it endpoints and members are added, never removed or changed: a
client of a newer version takes 404 from an older service as "not there yet".`,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
} as const;

/** The chapters, in their order. */
export const tags = [
  { name: 'Items', description: 'Markdown files of the team: pushed in batches, pulled as a change feed.' },
  { name: 'Tasks and decisions', description: 'What is made from items, or on the service side.' },
  { name: 'Questions', description: 'Answers over all that the key may see.' },
  { name: 'Analytics', description: 'How ready codebases are, and how mature the use of agents is.' },
  { name: 'State and documentation', description: 'For operators and people; no key needed.' },
] as const;

/** Both are needed; the team is a header of its own (components/parameters/Team). */
export const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'tms_<key_id>_<secret>',
    description: 'The key of a member; an administrator makes it, and it is shown once.',
  },
} as const;

/** Request headers, as components. */
export const headerParameters = {
  Team: {
    name: 'X-Svc-Team',
    in: 'header',
    required: true,
    description: "Slug of the key's team.",
    schema: { type: 'string' },
    example: 'rivers',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'An id of your own, 1 to 128 of A-Z a-z 0-9 . _ : -; the answer and the logs carry it. Any other is replaced.',
    schema: { type: 'string' },
    example: 'sync-2026-11-21-0042',
  },
} as const;
