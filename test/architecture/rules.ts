// Who may import what: architecture.test.ts enforces these rules.

/**
 * The kinds of modules that not everyone may import; the first pattern that fits
 * a specifier decides. What fits none (zod, Node's own modules but for those of `reachingOut`) is open to all.
 */
export const kinds = {
  errors: /^@teammemory\/((errors|vocabulary|markdown|async|backup|audit)\/|admission\/(?!redis))/,
  basics: /^@teammemory\/((config|log|telemetry)\/|admission\/redis)/,
  proto: /^(@teammemory\/proto\/|@bufbuild\/)/,
  rpc: /^(@teammemory\/rpc\/|@connectrpc\/)/,
  process: /^@teammemory\/process\//,
  engines: /^(@teammemory\/(sqlite|mongo|migrations)\/|mongodb$|node:sqlite$)/,
  http: /^(fastify$|@fastify\/)/,
  models: /^openai$/,
  client: /^@teammemory\/client\//,
  /** The tools of agents and the packages of their protocol. */
  agents: /^(@teammemory\/mcp\/|@modelcontextprotocol\/)/,
  tests: /^(@teammemory\/testkit\/|vitest|vite$)/,
  /** A whole part of the program, as `services/all` mounts it, and its settings. */
  parts: /^@teammemory\/((analytics|auth|content|query)\/service|gateway\/app|\w+\/config)\.ts$/,
  program: /^@teammemory\/all\/program\.ts$/,
  /** What the dashboard shares with the sync: how an item becomes a text, and how two edits of a text are merged. */
  texts:
    /^@teammemory\/sync\/(format\/(file-text|front-matter|frontmatter-tier|obeyed-name)|plan\/merge-lines|sync-error)\.ts$/,
  /** The inside of another package, which is nobody else's business. */
  insides: /^@teammemory\//,
} as const;

export type Kind = keyof typeof kinds;

/** Which files a rule is about, and what these may import. */
export interface Zone {
  name: string;
  files: RegExp;
  kinds: Kind[];
  /** Folders of its own package that it may import from; all of them where it does not say. */
  folders?: string[];
}

/** The first zone that fits a file decides; libraries come after these, by their order. */
export const zones: Zone[] = [
  {
    name: 'gateway main',
    files: /^gateway\/(main|config)\.ts$/,
    kinds: ['errors', 'basics', 'proto', 'rpc', 'process'],
  },
  {
    name: 'gateway mcp',
    files: /^gateway\/mcp\//,
    kinds: ['errors', 'basics', 'proto', 'rpc', 'http', 'agents'],
  },
  { name: 'dashboard', files: /^gateway\/dashboard\//, kinds: ['errors', 'proto', 'rpc', 'texts'] },
  { name: 'gateway', files: /^gateway\//, kinds: ['errors', 'basics', 'proto', 'rpc', 'http'] },
  {
    name: 'services/all',
    files: /^services\/all\//,
    kinds: ['errors', 'basics', 'proto', 'rpc', 'process', 'engines', 'client', 'parts'],
  },
  { name: 'services/separate', files: /^services\/separate\//, kinds: ['errors', 'basics', 'process'] },
  { name: 'domain', files: /^services\/[^/]+\/domain\//, kinds: ['errors'], folders: ['domain'] },
  {
    name: 'store',
    files: /^services\/[^/]+\/store\//,
    kinds: ['errors', 'basics', 'engines'],
    folders: ['domain', 'store'],
  },
  {
    name: 'search-index',
    files: /^services\/query\/search-index\//,
    kinds: ['errors', 'basics', 'engines'],
    folders: ['domain', 'search-index'],
  },
  {
    name: 'model',
    files: /^services\/[^/]+\/model\//,
    kinds: ['errors', 'models'],
    folders: ['domain', 'model'],
  },
  {
    name: 'sockets and threads',
    files: /^services\/[^/]+\/(task-thread|webhook-sender)\//,
    kinds: ['errors'],
    folders: ['domain', 'task-thread', 'webhook-sender'],
  },
  {
    name: 'rpc',
    files: /^services\/[^/]+\/rpc\//,
    kinds: ['errors', 'basics', 'proto', 'rpc'],
    folders: ['domain', 'rpc'],
  },
  {
    name: 'main',
    files: /^services\/[^/]+\/(main|config)\.ts$/,
    kinds: ['errors', 'basics', 'proto', 'rpc', 'process'],
  },
  { name: 'service', files: /^services\/[^/]+\//, kinds: ['errors', 'basics', 'proto', 'rpc'] },
  {
    name: 'end to end',
    files: /^test\//,
    kinds: ['errors', 'proto', 'rpc', 'engines', 'client', 'agents', 'tests', 'program'],
  },
];

/**
 * The domain reaches nothing outside of its process: what opens a socket, a file or a thread stands in a folder beside
 * `store/`. That holds for tests of the domain too.
 */
export const reachingOut = {
  domains: /^(services\/[^/]+\/domain|libs\/scan\/src\/rubric)\//,
  modules: /^(node:)?(http|https|http2|net|tls|dgram|dns|fs|worker_threads|child_process)(\/promises)?$/,
  /** Reads the lists of words that every text is analysed with; no other file may. */
  except: ['services/query/domain/text/languages.ts'],
};

/**
 * The gateway has a folder for each noun of the API. None imports another, and nothing else imports them but the
 * files that put all nouns together, as the tools of agents do.
 */
export const gatewayNouns = {
  folders: ['items', 'tasks', 'decisions', 'projects', 'query', 'codebases', 'metrics', 'sign-in-links'],
  composers: /^gateway\/(api-routes\.ts$|operations\.ts$|mcp\/)/,
};

/**
 * The rooms (folders) of a service's domain, in layers. A room may import the rooms of the layers before its own, but no
 * other room of its layer, so rooms never import each other in a circle.
 */
export const rooms: Record<string, string[][]> = {
  content: [
    ['markdown', 'feed'],
    ['items', 'projects', 'decisions', 'webhooks'],
    ['tasks', 'proposals'],
    ['erasure'],
  ],
  query: [
    ['text', 'markup', 'spending'],
    ['dates'],
    ['passages', 'words'],
    ['citations', 'ranking'],
    ['rows'],
    ['views'],
    ['quotes'],
    ['index'],
    ['embedding'],
    ['search'],
    ['answer', 'ratings'],
  ],
};

/**
 * The rooms of a library that has some: the first pattern that fits a file decides what of its own package it may import,
 * and, if it says so, which of the kinds that are open to the library.
 */
export const libraryRooms: { files: RegExp; mayImport: RegExp; kinds?: Kind[] }[] = [
  { files: /^libs\/rpc\/src\/[^/]+$/, mayImport: /^libs\/rpc\/src\/[^/]+$/ },
  { files: /^libs\/rpc\/src\/auth\//, mayImport: /^libs\/rpc\/src\/(auth\/)?[^/]+$/ },
  // A transport within the process calls what a server would serve.
  {
    files: /^libs\/rpc\/src\/client\//,
    mayImport: /^libs\/rpc\/src\/((auth|client)\/)?[^/]+$|\/server\/rpc-service\.ts$/,
  },
  // A reverse proxy is a server and a client.
  { files: /^libs\/rpc\/src\/server\/rpc-proxy\.ts$/, mayImport: /^libs\/rpc\/src\// },
  { files: /^libs\/rpc\/src\/server\//, mayImport: /^libs\/rpc\/src\/((auth|server)\/)?[^/]+$/ },
  // The published package is what stands outside the room `rpc`: it runs where there is nothing but `fetch`.
  { files: /^libs\/client\/src\/[^/]+$/, mayImport: /^libs\/client\/src\/[^/]+$/, kinds: [] },
  // The plan is pure: it reads no disk and asks no service. Below it are only the words that all use.
  { files: /^libs\/sync\/src\/plan\//, mayImport: /^libs\/sync\/src\/(plan\/|summary\.ts|sync-error\.ts)/ },
  {
    files: /^libs\/sync\/src\/format\//,
    mayImport: /^libs\/sync\/src\/((plan|format)\/|summary\.ts|sync-error\.ts)/,
  },
  {
    files: /^libs\/sync\/src\/state\//,
    mayImport: /^libs\/sync\/src\/((plan|format|state)\/|summary\.ts|sync-error\.ts)/,
  },
  // The rubric is pure: it judges names and texts that were read before.
  { files: /^libs\/scan\/src\/rubric\//, mayImport: /^libs\/scan\/src\/(rubric\/|scan-error\.ts)/ },
  {
    files: /^libs\/sync\/src\/run\//,
    mayImport: /^libs\/sync\/src\/((plan|format|state|run)\/|(service|summary|sync-error)\.ts)/,
  },
];

/**
 * The libraries in their one total order: each may import those above it, and of
 * foreign modules that are not open to all, those of the kinds named here.
 */
export const libraries: { name: string; kinds: Kind[] }[] = [
  { name: 'errors', kinds: [] },
  { name: 'vocabulary', kinds: [] },
  { name: 'markdown', kinds: [] },
  { name: 'async', kinds: [] },
  { name: 'backup', kinds: [] },
  { name: 'config', kinds: [] },
  { name: 'log', kinds: [] },
  { name: 'telemetry', kinds: [] },
  { name: 'admission', kinds: [] },
  { name: 'audit', kinds: [] },
  { name: 'proto', kinds: ['proto'] },
  { name: 'rpc', kinds: ['proto', 'rpc'] },
  { name: 'migrations', kinds: [] },
  { name: 'sqlite', kinds: ['engines'] },
  { name: 'mongo', kinds: ['engines'] },
  { name: 'process', kinds: [] },
  { name: 'client', kinds: ['proto', 'rpc'] },
  { name: 'sync', kinds: [] },
  { name: 'scan', kinds: [] },
  { name: 'report', kinds: ['engines'] },
  { name: 'mcp', kinds: ['agents'] },
  { name: 'cli', kinds: ['agents'] },
  { name: 'testkit', kinds: ['engines', 'tests'] },
];

/**
 * The evaluation runs the domain of services in its own process, where each rule can be switched off by itself. The
 * power-loss lab opens stores by their own code, and runs `tms` again and again in one process.
 */
export const evaluationFiles =
  /^test\/(?:eval\/(?:memory-view|evaluate-in-process|ablation|ablation-rules)|power-loss\/(?:read-stores|tms-runner))\.ts$/;

/**
 * Tests, contract suites and fixtures beside the code may import, on top of what their
 * zone may, the test tools, every folder of their own package, and the real
 * handlers of other services instead of mocks of them.
 */
export const testFiles = { files: /\.(test|contract|fixture)\.ts$/, kinds: ['tests', 'parts'] as Kind[] };

/** The only files that may read the environment; everything else is handed its settings. */
export const environmentReaders = [
  /(^|\/)([a-z-]+-)?config\.ts$/,
  /^vitest\.config\.ts$/,
  /(^|\/)env[a-z-]*\.ts$/,
  /^libs\/cli\/src\/main\.ts$/,
  /^libs\/cli\/(bin|package)\/(tms|team-memory-service)\.js$/,
  /^test\//,
  /^scripts\//,
];

/**
 * A function of more than a hundred lines keeps no state: it would be a class with a list of fields, or two things. What is
 * long without state stays: lists of the queries of a store, of the handlers of a service, of what a page shows.
 */
export const longClosures = {
  mayBe: /^test\/|^libs\/testkit\/|\.(test|contract|fixture)\.tsx?$/,
  /** Files that may have one, and why. */
  except: {
    'gateway/app.ts': 'makes each part of the gateway once; only whether it is closing changes',
  } as Readonly<Record<string, string>>,
};
