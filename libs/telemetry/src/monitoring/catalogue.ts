/** What is known of a metric before it is measured. */
export interface MetricDescription {
  type: 'counter' | 'gauge' | 'histogram';
  /** Names of its labels. */
  labels: readonly string[];
  /** What it is, in the Markdown of docs/metrics.md. */
  what: string;
  /** When somebody should look at it, likewise; empty: only together with others. */
  watch: string;
}

const metric =
  (type: MetricDescription['type']) =>
  (labels: readonly string[], what: string, watch = ''): MetricDescription => ({ type, labels, what, watch });
const counter = metric('counter');
const gauge = metric('gauge');
const histogram = metric('histogram');

/**
 * Every metric of the service, by area. From here come the help texts of `/metrics`, docs/metrics.md, the alert rules and the
 * Grafana page; a name that is not here cannot be measured. Histograms whose names end with `_seconds` have buckets of seconds,
 * others of counts.
 */
export const catalogue = {
  HTTP: {
    teammemory_http_request_duration_seconds: histogram(
      ['method', 'route', 'status'],
      'HTTP answers; a stream counts until its end',
      '5xx above 1 % for 5 minutes; p99 of a route above what its clients tolerate',
    ),
    teammemory_http_problems_total: counter(
      ['route', 'code'],
      'problem answers by [code](errors.md)',
      '`internal` at all; `unavailable` for 5 minutes; `invalid_key` ten times as often as usual',
    ),
    teammemory_event_loop_long_turns_total: counter(
      [],
      'turns of the event loop that blocked everything else for more than 50 ms',
      'it rises steadily',
    ),
    teammemory_event_loop_longest_turn_seconds: gauge(
      [],
      'the longest of these turns since the start',
      'above 0.5',
    ),
    teammemory_event_loop_late_turns_total: counter(
      [],
      'turns of the event loop of more than 250 ms, spent computing, waiting for the disk, or without a processor',
      'it rises and `teammemory_event_loop_long_turns_total` does not: the disk is slow, or the machine has too much to do',
    ),
    teammemory_page_cache_hits_total: counter([], "pages of items answered from the gateway's memory"),
    teammemory_page_cache_misses_total: counter(
      [],
      'pages read from content',
      'more than the hits, with `teammemory_page_cache_bytes` near 64 MiB',
    ),
    teammemory_page_cache_bytes: gauge([], 'memory of these pages, in each coding'),
    teammemory_http_answers_compressed_total: counter(
      ['encoding'],
      'answers that were compressed, not counting cached ones',
    ),
    teammemory_http_answers_not_compressed_total: counter(
      [],
      'answers sent as they are because too many were waiting',
      'it grows: let clients or the proxy ask for `identity`',
    ),
    teammemory_http_body_bytes: gauge(
      [],
      'declared bytes of request bodies in progress',
      'it stays near 12 times `MAX_BODY_BYTES`',
    ),
    teammemory_http_bodies_waiting: gauge(
      [],
      'bodies waiting for memory or for their turn',
      'it does not fall to 0',
    ),
    teammemory_http_refused_body_bytes_total: counter(
      [],
      'declared bytes of refused bodies',
      'it rises fast',
    ),
    teammemory_refusals_dropped_total: counter(
      [],
      '[refusals](security.md#administrators) that are missing in the lists of teams',
      'it rises and `teammemory_http_problems_total` does not: auth cannot be reached',
    ),
    teammemory_http_unread_page_bytes: gauge([], 'unread bytes of large pages', 'it stays near 128 MiB'),
    teammemory_http_connections: gauge(
      [],
      'connections open to the public port',
      'it nears 10,000, or 40 % of the descriptors',
    ),
    teammemory_http_connections_closed_total: counter(
      [],
      'connections closed to make room for others',
      'it rises',
    ),
    teammemory_http_connections_cut_total: counter(
      [],
      'connections closed for too many pipelined requests',
      'it rises',
    ),
    teammemory_http_event_streams_open: gauge(
      [],
      'answers being streamed, and searches',
      'it rises and does not fall, or nears `OPEN_ANSWERS`',
    ),
    teammemory_http_change_streams_open: gauge(
      [],
      'streams of `GET /events`, and of subscriptions of [`/mcp`](mcp.md), that are open',
      'it rises and does not fall, or nears 4,096',
    ),
    teammemory_mcp_messages_open: gauge(
      [],
      'messages to [`/mcp`](mcp.md) that are being answered',
      'it stays near 512',
    ),
    teammemory_mcp_tool_calls_total: counter(
      ['tool', 'outcome'],
      'calls of the tools of [`/mcp`](mcp.md); `outcome` is `done`, `cancelled` or the [code](errors.md) of the refusal',
      '`internal` or `unavailable` at all; many `conflict` of `push`',
    ),
  },
  RPC: {
    teammemory_rpc_duration_seconds: histogram(
      ['service', 'method', 'code'],
      'RPCs answered; `code` is `ok` or an error code',
      '`internal` at all; p99 of a method',
    ),
    teammemory_rpc_calls_in_flight: gauge(
      ['service'],
      'RPCs under way',
      'it stays above a few hundred: the service or its store is slow',
    ),
    teammemory_rpc_connections_refused_total: counter(
      [],
      'connections to RPC ports refused because there are too many',
      'above zero: somebody attacks, or a proxy brings more callers than one address may have',
    ),
    teammemory_rpc_client_calls_in_flight: gauge(
      ['process'],
      'calls to another process in progress or waiting',
      'one process has far more than the other replicas',
    ),
    teammemory_rpc_client_events_total: counter(
      ['process', 'event'],
      '`connection_failed`, `retried`, and `shed` for calls refused because too many are in progress',
      '`shed` at all; `connection_failed` for a minute',
    ),
  },
  'Search and feeds': {
    teammemory_feed_catch_up_seconds: histogram(
      ['projection'],
      'time that `tasks` or `passages` took to catch up with their feeds',
      'p99 above 1 s',
    ),
    teammemory_feed_lag_rows: histogram(
      ['projection'],
      'positions by which they were behind',
      'p99 above 1,000, except at a first start',
    ),
    teammemory_feed_catch_up_failures_total: counter(
      ['projection'],
      'failures to catch up',
      'it rises for 5 minutes',
    ),
    teammemory_search_index_bytes: gauge(
      [],
      'bytes of the files of search indexes',
      'near `INDEX_DISK_MB` while evictions rise',
    ),
    teammemory_search_index_missing_passages: gauge(
      [],
      'passages and rows for which the index [has no room](search.md#when-a-team-is-too-large-for-its-index)',
      'above 0: raise `INDEX_DISK_MB`, or remove items',
    ),
    teammemory_search_index_teams: gauge([], 'teams with an index'),
    teammemory_search_index_build_seconds: histogram(
      [],
      'building an index from all rows of a team',
      'more than a few a minute while evictions rise: raise `INDEX_DISK_MB`',
    ),
    teammemory_search_index_evictions_total: counter(
      [],
      'indexes removed to make room for others',
      'it rises steadily: raise `INDEX_DISK_MB`',
    ),
    teammemory_search_items_refused_total: counter(
      [],
      'items that could not be cut into passages; the log names them',
      'at all',
    ),
    teammemory_search_thread_restarts_total: counter([], 'threads that search and ended', 'at all'),
    teammemory_search_index_refresh_age_seconds: gauge(
      [],
      'time since the last background check of all teams',
      'above 10 minutes, except after the start of a large installation',
    ),
    teammemory_task_texts_skipped_total: counter(
      ['reason'],
      'texts that make no tasks (`too_complex`) or not all (`too_many`, `too_deep`, `too_long`)',
      '`too_complex` rises',
    ),
    teammemory_task_texts_waiting: gauge(
      [],
      'texts waiting for the task thread, at most 1,000',
      'above 100 for a minute',
    ),
  },
  Models: {
    teammemory_model_call_duration_seconds: histogram(
      ['outcome'],
      'calls to the model that ended `ok`, `failed`, or `abandoned` (the reader left)',
      '`failed` above 5 %',
    ),
    teammemory_model_fallbacks_total: counter(
      ['reason'],
      'answers made without the model because the call `failed` or the model stayed `silent`',
      'it rises for 5 minutes',
    ),
    teammemory_model_tokens_total: counter(['direction'], 'tokens charged for, `input` and `output`'),
    teammemory_model_cost_usd_total: counter(
      [],
      'US dollars charged for calls to models',
      "a day's increase is near your budget",
    ),
    teammemory_model_reservations_open: gauge(
      [],
      'reserved costs of calls in progress',
      'it does not fall while nobody asks',
    ),
    teammemory_embedding_call_duration_seconds: histogram(
      ['outcome'],
      'calls to the embedding model that ended `ok` or `failed`',
      '`failed` for 5 minutes',
    ),
    teammemory_embedded_texts_total: counter([], 'passages and questions embedded'),
    teammemory_embedding_backlog_passages: gauge(
      [],
      'indexed passages without a vector',
      'it does not fall for 10 minutes',
    ),
  },
  Webhooks: {
    teammemory_webhook_deliveries_total: counter(
      ['outcome'],
      'attempts to send an event to a [webhook](webhooks.md): `delivered`, `failed`, `timed_out`, `not_allowed` (no public address), `gone`',
    ),
    teammemory_webhook_pending_seconds: gauge(
      [],
      'age of the oldest event that was not delivered, of all processes together',
      'above an hour: a receiver is down; `tms admin webhook list` shows which',
    ),
    teammemory_webhooks_off: gauge(
      [],
      'webhooks that are off after a day of failures or a 410, of all processes together',
    ),
    teammemory_webhooks_switched_off_total: counter(
      [],
      'times that this process switched a webhook off',
      'at all',
    ),
  },
  Stores: {
    teammemory_sqlite_waiting_writes: gauge(
      ['file'],
      'writes waiting for the disk, at most 20,000',
      'above 1,000 for a minute',
    ),
    teammemory_sqlite_commit_seconds: histogram(
      ['file'],
      'commits of groups of writes until they are on the disk; writes wait for them',
      'above 0.2 on average: the disk is slow',
    ),
    teammemory_disk_free_bytes: gauge(
      [],
      'free space on the disk of `DATA_DIR`, with SQLite ([full disk](operating.md#when-the-disk-is-full))',
      'below 1 GiB',
    ),
    teammemory_disk_full: gauge([], '1 while nothing new is stored because the disk is full', '1 at all'),
    teammemory_mongodb_pool_connections: gauge([], 'open connections to MongoDB'),
    teammemory_mongodb_pool_connections_in_use: gauge(
      [],
      'connections in use',
      "at the pool's 50 for a minute",
    ),
    teammemory_mongodb_pool_waiting: gauge([], 'operations waiting for a connection', 'above 0 for a minute'),
    teammemory_mongodb_pool_failures_total: counter([], 'operations that got no connection', 'it rises'),
    teammemory_rate_limiter_redis_up: gauge([], '1 while limits are counted in Redis', '0 for a minute'),
    teammemory_rate_limiter_redis_losses_total: counter([], 'times that Redis was lost', 'it rises'),
  },
  'The process': {
    teammemory_certificate_expiry_timestamp_seconds: gauge(
      ['which'],
      'when the certificate (`certificate`) or authority (`authority`) of [TLS between the parts](deploying.md#renew-certificates) expires, as Unix time; the first of several in a file',
      'less than 14 days from now',
    ),
    teammemory_certificate_reload_failures_total: counter(
      [],
      'changed certificate files that could not be used; the log says why',
      'at all',
    ),
    teammemory_build_info: gauge(
      ['version'],
      'always 1; the label says which version runs',
      'versions differ for longer than an upgrade takes',
    ),
  },
} as const;

type Areas = typeof catalogue;

/** The name of a metric. */
export type MetricName = { [Area in keyof Areas]: keyof Areas[Area] }[keyof Areas] & string;

/** Every metric by its name. */
export const metricsByName = Object.assign({}, ...Object.values(catalogue)) as Readonly<
  Record<MetricName, MetricDescription>
>;

/** The help text of a metric: what it is, without Markdown. */
export function helpOf(name: MetricName): string {
  const text = metricsByName[name].what.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
