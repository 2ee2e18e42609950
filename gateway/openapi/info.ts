/** The beginning of the document. */
export const info = {
  title: 'Team Memory Service',
  version: 'v1',
  summary: "A team's shared memory: push Markdown, pull what changed, ask and get a cited answer.",
  description: `Clients push Markdown items, pull what others changed, ask questions over all of it, and report scans of codebases
and snapshots of maturity.

**Keys.** Every request below \`/api/v1\` carries \`Authorization: Bearer <key>\` and \`X-Svc-Team: <team>\`, the slug of the
key's team. A key has a tier: a team key sees tiers team and external, an external key sees external only. What a key may
not see gets exactly the same answer as what does not exist. A key also has an access: \`read\` pulls and asks, \`propose\`
also pushes items that wait for a reviewer, \`own\` pushes new items and changes or removes items that its member wrote last, \`write\` does everything its tier allows.

**Format.** Field names are snake_case; times are RFC 3339 in UTC with three fraction digits. The service ignores unknown
members of a request, and clients ignore unknown members of an answer. Request bodies may have the content
encoding gzip or zstd. Every \`GET\` also answers \`HEAD\`.

**Problems.** Every answer outside 200 to 299 is a problem (RFC 9457) with a stable \`code\`; \`/problems/<code>\` explains it.
Checks run in this order: key (401), team (403), path and method (404, 405), tier (403), access (403), body (413, 415, 400), content
(422), limits (429). A request that is not valid HTTP gets 400 \`invalid_request\`.

**Limits.** Item writes, questions, scans and snapshots are counted per key over a rolling minute, 60 each, searches, 600, and
sign-in links, 10, unless the operator set other limits. A key may have a limit of item writes of its own. Their endpoints
report the state of the key in \`RateLimit-Policy\` and \`RateLimit\`.

**Versions.** The version is \`v1\` in the path. Within a version, endpoints and members are added but never removed or
changed. A newer client takes 404 from an older service to mean that the endpoint is not available yet.`,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
} as const;

/** The chapters of the document, in their order. */
export const tags = [
  {
    name: 'Items',
    description: 'Markdown files of the team: pushed in batches, pulled as a feed of changes.',
  },
  {
    name: 'Proposals',
    description: 'What keys of access `propose` pushed, and what reviewers made of it.',
  },
  { name: 'Tasks and decisions', description: 'What is made from items or created on the service side.' },
  { name: 'Changes', description: 'A stream that tells when there is something to pull.' },
  { name: 'Questions', description: 'Answers from everything that the key may see.' },
  { name: 'Analytics', description: 'The readiness of codebases and the maturity of agent use.' },
  { name: 'State and documentation', description: 'For operators and readers. No key is needed.' },
] as const;

/** Requests need the key and the team, which is a separate header (components/parameters/Team). */
export const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'tms_<key_id>_<secret>',
    description: 'The key of a member. An administrator creates it, and it is shown once.',
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
      'Your own id for the request: 1 to 128 of A-Z a-z 0-9 . _ : -. The answer and the logs contain it. An invalid id is replaced.',
    schema: { type: 'string' },
    example: 'sync-2026-11-21-0042',
  },
} as const;
