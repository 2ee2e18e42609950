/** A condition that somebody should be told of. */
export interface Alert {
  name: string;
  /** `critical`: users are affected now. `warning`: they will be, or some are. */
  severity: 'critical' | 'warning';
  /** PromQL; what it returns is the alert's labels. */
  expression: string;
  /** How long it must hold. */
  lasting: string;
  /** What is wrong, in a sentence. `{{ $labels.x }}` stands for a label. */
  summary: string;
  /** What it means and what to do, in Markdown whose links start from docs/. */
  todo: string;
  /** Series that raise it, and no other: by sample, values for each minute in the notation of promtool. */
  raisedBy: Readonly<Record<string, string>>;
}

const requests = 'teammemory_http_request_duration_seconds_count';
const problems = 'teammemory_http_problems_total';
const commits = 'teammemory_sqlite_commit_seconds';
const rpcs = 'teammemory_rpc_duration_seconds_count';

/** Every alert of the service. `npm run monitoring` makes the rules for Prometheus from here. */
export const alerts: readonly Alert[] = [
  {
    name: 'TeamMemoryAbsent',
    severity: 'critical',
    expression: 'absent(teammemory_build_info)',
    lasting: '5m',
    summary: 'No part of Team Memory Service is being scraped.',
    todo: 'Either nothing runs, or Prometheus cannot reach `METRICS_PORT` of any part. Look at the targets of Prometheus, then at the processes.',
    raisedBy: {},
  },
  {
    name: 'TeamMemoryUnavailable',
    severity: 'critical',
    expression: `sum(rate(${problems}{code="unavailable"}[5m])) / sum(rate(${requests}[5m])) > 0.01`,
    lasting: '5m',
    summary: 'More than 1 % of requests are answered with 503.',
    todo: 'A part or a store cannot be reached, or a gateway has a signing key that the parts do not know. [`GET /readyz`](operating.md#health) of a gateway names the part; the warnings in its log have the cause.',
    raisedBy: {
      [`${requests}{method="GET",route="/api/v1/items",status="503"}`]: '0+60x60',
      [`${problems}{route="/api/v1/items",code="unavailable"}`]: '0+60x60',
    },
  },
  {
    name: 'TeamMemoryServiceUnavailable',
    severity: 'warning',
    expression: `sum by (service) (rate(${rpcs}{code="unavailable"}[5m])) > 0.01`,
    lasting: '5m',
    summary: '{{ $labels.service }} cannot answer some of its calls.',
    todo: 'The service runs, but something that it needs does not answer: its database, another service, or the disk. Look for `a call could not be answered` in its log.',
    raisedBy: {
      [`${rpcs}{service="teammemory.content.v1.ContentService",method="M",code="unavailable"}`]: '0+6x60',
    },
  },
  {
    name: 'TeamMemoryInternalErrors',
    severity: 'warning',
    expression: `sum by (route) (increase(${problems}{code="internal"}[10m])) > 0`,
    lasting: '0m',
    summary: 'Requests to {{ $labels.route }} are answered with 500.',
    todo: 'A fault of the service, or of its data. Search the logs of all parts for lines of level `error`: they have the cause and the `request_id`.',
    raisedBy: { [`${problems}{route="/api/v1/items",code="internal"}`]: '0+1x60' },
  },
  {
    name: 'TeamMemoryInternalRpcErrors',
    severity: 'warning',
    expression: `sum by (service, method) (increase(${rpcs}{code="internal"}[10m])) > 0`,
    lasting: '0m',
    summary: '{{ $labels.service }} fails in {{ $labels.method }}.',
    todo: 'As for TeamMemoryInternalErrors, inside one service: its log has the line `a call failed`.',
    raisedBy: { [`${rpcs}{service="S",method="M",code="internal"}`]: '0+1x60' },
  },
  {
    name: 'TeamMemorySlow',
    severity: 'warning',
    expression:
      'histogram_quantile(0.99, sum by (le, route) (rate(teammemory_http_request_duration_seconds_bucket{route=~"/api/v1/.*",route!~".*/(query|events)"}[10m]))) > 2',
    lasting: '10m',
    summary: 'One of a hundred requests to {{ $labels.route }} takes more than 2 seconds.',
    todo: 'Look at the processors, at `teammemory_event_loop_long_turns_total`, at the database and its pool. Questions and streams are not counted here.',
    raisedBy: {
      'teammemory_http_request_duration_seconds_bucket{method="GET",route="/api/v1/items",status="200",le="2.5"}':
        '0+0x60',
      'teammemory_http_request_duration_seconds_bucket{method="GET",route="/api/v1/items",status="200",le="5"}':
        '0+60x60',
      'teammemory_http_request_duration_seconds_bucket{method="GET",route="/api/v1/items",status="200",le="+Inf"}':
        '0+60x60',
    },
  },
  {
    name: 'TeamMemoryEventLoopBlocked',
    severity: 'warning',
    expression: 'rate(teammemory_event_loop_long_turns_total[10m]) > 0.2',
    lasting: '10m',
    summary: 'A process computes for so long that its other requests wait.',
    todo: 'The processor is too small, or one kind of request costs too much. The log warns of the longest turns; [benchmarks](benchmarks.md) have figures.',
    raisedBy: { teammemory_event_loop_long_turns_total: '0+60x60' },
  },
  {
    name: 'TeamMemoryPartUnreachable',
    severity: 'critical',
    expression:
      'sum by (process) (increase(teammemory_rpc_client_events_total{event="connection_failed"}[5m])) > 5',
    lasting: '2m',
    summary: 'The process {{ $labels.process }} cannot be reached.',
    todo: 'Check that it runs, that its name leads to it, that no network policy stops the connection, and that the certificates of both ends are valid.',
    raisedBy: {
      'teammemory_rpc_client_events_total{process="content:8080",event="connection_failed"}': '0+6x60',
    },
  },
  {
    name: 'TeamMemoryCallsShed',
    severity: 'warning',
    expression: 'sum by (process) (increase(teammemory_rpc_client_events_total{event="shed"}[5m])) > 0',
    lasting: '2m',
    summary: 'Calls to {{ $labels.process }} are refused because too many are in progress.',
    todo: 'The process is slow or there are too few of them: look at its processor and its database, then add replicas.',
    raisedBy: { 'teammemory_rpc_client_events_total{process="content:8080",event="shed"}': '0+6x60' },
  },
  {
    name: 'TeamMemoryConnectionsFull',
    severity: 'warning',
    expression: 'increase(teammemory_http_connections_closed_total[10m]) > 0',
    lasting: '5m',
    summary: 'Connections are closed to make room for others.',
    todo: 'Raise the limit of file descriptors, or let a proxy in front keep the connections of clients.',
    raisedBy: { teammemory_http_connections_closed_total: '0+6x60' },
  },
  {
    name: 'TeamMemoryRpcConnectionsRefused',
    severity: 'warning',
    expression: 'increase(teammemory_rpc_connections_refused_total[10m]) > 10',
    lasting: '5m',
    summary: 'Connections to an RPC port are refused because there are too many.',
    todo: 'Check which hosts can reach the port. A proxy that all callers come through must send its calls over few connections, by HTTP/2.',
    raisedBy: { teammemory_rpc_connections_refused_total: '0+6x60' },
  },
  {
    name: 'TeamMemoryRedisLost',
    severity: 'warning',
    expression: 'teammemory_rate_limiter_redis_up == 0',
    lasting: '1m',
    summary: 'A gateway cannot reach Redis and counts limits by itself.',
    todo: 'Requests are answered, but each gateway allows the whole limit. Mend Redis; gateways come back by themselves ([Redis](operating.md#use-redis)).',
    raisedBy: { teammemory_rate_limiter_redis_up: '0x60' },
  },
  {
    name: 'TeamMemoryMongodbPoolFull',
    severity: 'warning',
    expression: 'teammemory_mongodb_pool_waiting > 0',
    lasting: '2m',
    summary: 'Operations wait for a connection to MongoDB.',
    todo: 'MongoDB is slow, or a process is too busy: add replicas of the service, or look at the slow operations of the database.',
    raisedBy: { teammemory_mongodb_pool_waiting: '3x60' },
  },
  {
    name: 'TeamMemoryMongodbLost',
    severity: 'critical',
    expression: 'increase(teammemory_mongodb_pool_failures_total[5m]) > 0',
    lasting: '1m',
    summary: 'Operations got no connection to MongoDB.',
    todo: 'Check that the database is up and has a primary, the address in `MONGODB_URL`, and the network.',
    raisedBy: { teammemory_mongodb_pool_failures_total: '0+6x60' },
  },
  {
    name: 'TeamMemoryDiskFull',
    severity: 'critical',
    expression: 'teammemory_disk_full == 1',
    lasting: '0m',
    summary: 'The disk is full, and nothing new is stored.',
    todo: 'Make room on the disk of `DATA_DIR`: the service stores again by itself, without a restart ([what goes on meanwhile](operating.md#when-the-disk-is-full)).',
    raisedBy: { teammemory_disk_full: '1x60' },
  },
  {
    name: 'TeamMemoryDiskAlmostFull',
    severity: 'warning',
    expression: 'teammemory_disk_free_bytes < 2^30',
    lasting: '10m',
    summary: 'The disk of DATA_DIR has less than 1 GiB of free space.',
    todo: 'Enlarge the disk, or remove what else is on it: logs, old backups. Below 8 MiB pushes are answered with 503 ([full disk](operating.md#when-the-disk-is-full)).',
    raisedBy: { teammemory_disk_free_bytes: '500000000x60' },
  },
  {
    name: 'TeamMemoryDiskSlow',
    severity: 'warning',
    expression: `sum by (file) (rate(${commits}_sum[5m])) / sum by (file) (rate(${commits}_count[5m])) > 0.2 or max by (file) (teammemory_sqlite_waiting_writes) > 1000`,
    lasting: '2m',
    summary: 'Writes wait for the disk ({{ $labels.file }}).',
    todo: 'A commit takes more than 0.2 seconds on average, or 1,000 writes wait. The disk is slow, or something else on the machine uses it. Above 20,000 waiting writes pushes are answered with 503. Larger teams belong on [MongoDB](operating.md#use-mongodb).',
    raisedBy: {
      [`${commits}_sum{file="content.sqlite"}`]: '0+30x60',
      [`${commits}_count{file="content.sqlite"}`]: '0+100x60',
    },
  },
  {
    name: 'TeamMemoryFeedsNotFollowed',
    severity: 'warning',
    expression: 'sum by (projection) (increase(teammemory_feed_catch_up_failures_total[10m])) > 0',
    lasting: '5m',
    summary: '{{ $labels.projection }} cannot be brought up to date.',
    todo: 'Tasks, or passages for answers, miss what was pushed since. The log of content (`tasks`) or query (`passages`) has the cause.',
    raisedBy: { 'teammemory_feed_catch_up_failures_total{projection="passages"}': '0+1x60' },
  },
  {
    name: 'TeamMemorySearchStale',
    severity: 'warning',
    expression: 'teammemory_search_index_refresh_age_seconds > 600',
    lasting: '5m',
    summary: 'Search indexes were not updated in the background for ten minutes.',
    todo: 'Questions still see what was pushed, but wait for it. Query cannot reach content, or has too many teams for its processor.',
    raisedBy: { teammemory_search_index_refresh_age_seconds: '700+60x60' },
  },
  {
    name: 'TeamMemorySearchIncomplete',
    severity: 'warning',
    expression: 'teammemory_search_index_missing_passages > 0',
    lasting: '10m',
    summary: 'The index of a team has no room for all of its items.',
    todo: 'Answers miss some of its items. Raise `INDEX_DISK_MB` ([how it is used](search.md#when-a-team-is-too-large-for-its-index)).',
    raisedBy: { teammemory_search_index_missing_passages: '50x60' },
  },
  {
    name: 'TeamMemorySearchThreadDied',
    severity: 'warning',
    expression: 'increase(teammemory_search_thread_restarts_total[30m]) > 0',
    lasting: '0m',
    summary: 'A thread that searches ended.',
    todo: 'The log names the team that it worked for. Check the memory limit of the process.',
    raisedBy: { teammemory_search_thread_restarts_total: '0 0 0 1x57' },
  },
  {
    name: 'TeamMemoryModelFails',
    severity: 'warning',
    expression: 'sum(increase(teammemory_model_fallbacks_total[10m])) > 3',
    lasting: '5m',
    summary: 'Answers are made without the model, because it does not answer.',
    todo: 'Check the model server, its key and its credit. [Answers by a model](answering.md#answers-by-a-model) has the settings.',
    raisedBy: { 'teammemory_model_fallbacks_total{reason="failed"}': '0+1x60' },
  },
  {
    name: 'TeamMemoryEmbeddingFails',
    severity: 'warning',
    expression: 'sum(increase(teammemory_embedding_call_duration_seconds_count{outcome="failed"}[10m])) > 3',
    lasting: '5m',
    summary: 'The embedding model does not answer.',
    todo: 'New passages are found by their words, not by their meaning, until it answers again. Check the model server and its key.',
    raisedBy: { 'teammemory_embedding_call_duration_seconds_count{outcome="failed"}': '0+1x60' },
  },
  {
    name: 'TeamMemoryWebhookOff',
    severity: 'warning',
    expression: 'increase(teammemory_webhooks_switched_off_total[1h]) > 0',
    lasting: '0m',
    summary: 'A webhook was switched off, because its receiver failed for a day or is gone.',
    todo: '`tms admin webhook list --team …` shows it, and `tms admin webhook edit <id> --on --team …` makes it go on where it ended ([webhooks](webhooks.md#when-your-receiver-fails)).',
    raisedBy: { teammemory_webhooks_switched_off_total: '0x10 1x50' },
  },
  {
    name: 'TeamMemoryWebhookBehind',
    severity: 'warning',
    expression: 'max(teammemory_webhook_pending_seconds) > 3600',
    lasting: '10m',
    summary: 'The receiver of a webhook has not answered for an hour.',
    todo: '`tms admin webhook list --team …` shows its last error. Events are kept; after a day the webhook is switched off.',
    raisedBy: { teammemory_webhook_pending_seconds: '3700+60x60' },
  },
  {
    name: 'TeamMemoryCertificateExpires',
    severity: 'warning',
    expression: 'min by (which) (teammemory_certificate_expiry_timestamp_seconds) - time() < 14 * 24 * 3600',
    lasting: '10m',
    summary: 'The {{ $labels.which }} between the parts expires in less than 14 days.',
    todo: 'Put new files in place; the parts read them within a minute. Parts whose certificates are in the settings themselves need a restart ([renewing](deploying.md#renew-certificates)).',
    raisedBy: { 'teammemory_certificate_expiry_timestamp_seconds{which="certificate"}': '1000000x60' },
  },
  {
    name: 'TeamMemoryCertificateNotRead',
    severity: 'warning',
    expression: 'increase(teammemory_certificate_reload_failures_total[1h]) > 0',
    lasting: '0m',
    summary: 'New certificate files cannot be used; the old ones still are.',
    todo: 'The log of the part says why. Put matching, complete and valid files in place.',
    raisedBy: { teammemory_certificate_reload_failures_total: '0 0 0 1x57' },
  },
  {
    name: 'TeamMemoryVersionsDiffer',
    severity: 'warning',
    expression: 'count(count by (version) (teammemory_build_info)) > 1',
    lasting: '1h',
    summary: 'Parts of different versions have run for an hour.',
    todo: 'An upgrade did not end. Versions that are next to each other work together, but new functions may be missing.',
    raisedBy: {
      'teammemory_build_info{version="0.1.0"}': '1x100',
      'teammemory_build_info{version="0.2.0"}': '1x100',
    },
  },
];
