import { type Change, counter, gauge, type Metric } from './made-metrics.ts';

const ENDPOINTS = ['lqe-logs-all', 'lqe-usage-api-counts'];
const SERVICES = [...ENDPOINTS, 'lqe-gateway'];
const PLACES = [
  'apac-singapore',
  'eur-belgium',
  'sa-brazil-sao_paulo',
  'usa-iowa',
  'usa-oregon',
  'usa-virginia',
];

/** The ids that the tests give the uptime checks. */
export const CHECK_IDS = { healthz: 'healthz-check', readyz: 'readyz-check' };

const LOGGED = 'logging_googleapis_com:user_lqe_';
const revision = { monitored_resource: 'cloud_run_revision' };

const balancer = (backend: string, code: string) => ({
  __name__: 'loadbalancing_googleapis_com:https_request_count',
  monitored_resource: 'https_lb_rule',
  forwarding_rule_name: 'lqe-https',
  backend_target_name: backend,
  response_code: code,
  response_code_class: `${code.slice(0, 1)}00`,
});
const run = (service: string, code: string) => ({
  __name__: 'run_googleapis_com:request_count',
  ...revision,
  service_name: service,
  response_code: code,
  response_code_class: `${code.slice(0, 1)}xx`,
});
const armor = (blocked: string) => ({
  __name__: 'networksecurity_googleapis_com:https_request_count',
  monitored_resource: 'network_security_policy',
  policy_name: 'lqe',
  blocked,
});
const uptime = (metric: string, check: string) => ({
  __name__: `monitoring_googleapis_com:uptime_check_${metric}`,
  monitored_resource: 'uptime_url',
  check_id: check,
});
const memory = (service: string, le: string) => ({
  __name__: 'run_googleapis_com:container_memory_utilizations_bucket',
  ...revision,
  service_name: service,
  le,
});
const latency = (endpoint: string, le: string) => ({
  __name__: `${LOGGED}latency_bucket`,
  ...revision,
  endpoint,
  le,
});
const instances = (service: string) => ({
  __name__: 'run_googleapis_com:container_instance_count',
  ...revision,
  service_name: service,
  state: 'active',
});
const firestore = (database: string, code: string) => ({
  __name__: 'firestore_googleapis_com:api_request_count',
  monitored_resource: 'firestore.googleapis.com/Database',
  database_id: database,
  api_method: 'BatchGetDocuments',
  response_code: code,
});
const exits = (service: string) => ({
  __name__: `${LOGGED}instance_exits`,
  ...revision,
  service_name: service,
});
const bigquery = (code: string) => ({
  __name__: `${LOGGED}bigquery_errors`,
  monitored_resource: 'bigquery_project',
  code,
});
const quota = {
  __name__: 'serviceruntime_googleapis_com:quota_exceeded',
  monitored_resource: 'consumer_quota',
  service: 'bigquery.googleapis.com',
};
const subscription = (id: string) => ({ monitored_resource: 'pubsub_subscription', subscription_id: id });
const oldestEntry = (source: string) => ({
  __name__: 'pubsub_googleapis_com:subscription_oldest_unacked_message_age',
  ...subscription(`lqe-logs-${source}`),
});
const deadLetters = {
  __name__: 'pubsub_googleapis_com:subscription_num_undelivered_messages',
  ...subscription('lqe-dead-letters'),
};
const calls = {
  __name__: `${LOGGED}warm_calls`,
  monitored_resource: 'cloud_scheduler_job',
  job_id: 'lqe-warm-usage-api-counts',
};
const failedRounds = { __name__: `${LOGGED}warm_failures`, ...revision };
const bytes = { __name__: `${LOGGED}bytes_billed_sum`, ...revision, endpoint: 'logs.all' };

/** A day on which nothing is wrong: some calls a second, one in a hundred of them refused or failed. */
export function quietDay(): readonly Metric[] {
  return [
    ...SERVICES.flatMap((service) => [
      ...[balancer, run].flatMap((of) => [
        counter(of(service, '200'), 97),
        counter(of(service, '401'), 1),
        counter(of(service, '429'), 1),
        counter(of(service, '503'), 1),
      ]),
      gauge(instances(service), 2),
      counter(memory(service, '0.5'), 60),
      counter(memory(service, '0.95'), 60),
      counter(memory(service, '+Inf'), 60),
    ]),
    ...ENDPOINTS.flatMap((endpoint) => [
      counter(latency(endpoint, '1'), 97),
      counter(latency(endpoint, '10'), 100),
      counter(latency(endpoint, '+Inf'), 100),
    ]),
    counter(armor('false'), 300),
    counter(armor('true'), 1),
    ...PLACES.flatMap((place) => [
      ...Object.values(CHECK_IDS).map((id) =>
        gauge({ ...uptime('check_passed', id), checker_location: place }, 1),
      ),
      gauge({ ...uptime('time_until_ssl_cert_expires', CHECK_IDS.healthz), checker_location: place }, 60),
    ]),
    ...['lqe-results', 'lqe-tokens'].flatMap((database) => [
      counter(firestore(database, 'OK'), 100),
      counter(firestore(database, 'NOT_FOUND'), 20),
      counter(firestore(database, 'UNAVAILABLE'), 0.1),
    ]),
    gauge(quota, 0),
    ...['edge_logs', 'auth_logs'].map((source) => gauge(oldestEntry(source), 5)),
    gauge(deadLetters, 0),
    counter(calls, 0.2),
    counter(bytes, 2 ** 30),
  ];
}

/** All metrics of a kind, for these services, answered by one code alone from then on. */
const answered = (code: string, services = SERVICES): readonly Change[] =>
  services.flatMap((service) => [
    { of: balancer(service, '200'), becomes: null },
    { of: run(service, '200'), becomes: null },
    { of: balancer(service, code), becomes: 97 },
    { of: run(service, code), becomes: 97 },
  ]);
const notReached: readonly Change[] = SERVICES.map((service) => ({
  of: { __name__: run('', '').__name__, service_name: service },
  becomes: null,
}));
const nobodyAtBalancer: Change = { of: { __name__: balancer('', '').__name__ }, becomes: null };
const failing = (check: keyof typeof CHECK_IDS): Change => ({
  of: uptime('check_passed', CHECK_IDS[check]),
  becomes: 0,
});
const certificate = (days: number): Change => ({
  of: uptime('time_until_ssl_cert_expires', CHECK_IDS.healthz),
  becomes: days,
});
const noWarmCalls: Change = { of: calls, becomes: null };

/** What each outage of docs/operations.md does to the metrics, as far as their documentation says. */
export const OUTAGES: Readonly<Record<string, readonly Change[]>> = {
  'A new revision has a wrong setting and does not start; the old one answers on': [
    { of: exits('lqe-logs-all'), becomes: 1 },
  ],
  'No instance of any function starts': [
    ...notReached,
    ...SERVICES.flatMap((service) => [
      { of: balancer(service, '200'), becomes: null },
      { of: balancer(service, '503'), becomes: 98 },
      { of: exits(service), becomes: 1 },
    ]),
    failing('healthz'),
    failing('readyz'),
    noWarmCalls,
  ],
  'Instances run out of memory': [
    { of: memory('lqe-logs-all', '0.5'), becomes: 1 },
    { of: memory('lqe-logs-all', '0.95'), becomes: 30 },
    { of: exits('lqe-logs-all'), becomes: 0.5 },
    { of: balancer('lqe-logs-all', '503'), becomes: 10 },
    { of: run('lqe-logs-all', '503'), becomes: 10 },
  ],
  'A release answers every call with 500': answered('500', ENDPOINTS),
  'A quota of BigQuery is used up': [
    { of: bigquery('8'), becomes: 5 },
    { of: quota, becomes: 1 },
    ...answered('429', ENDPOINTS),
    { of: failedRounds, becomes: 0.2 },
  ],
  'BigQuery denies the tables, or they are gone': [
    { of: bigquery('7'), becomes: 5 },
    ...answered('502', ENDPOINTS),
    { of: failedRounds, becomes: 0.2 },
  ],
  'BigQuery cannot be reached': [
    ...answered('503', ENDPOINTS),
    { of: run('lqe-gateway', '503'), becomes: 6 },
    { of: balancer('lqe-gateway', '503'), becomes: 6 },
    failing('readyz'),
    { of: failedRounds, becomes: 0.2 },
  ],
  'BigQuery is slow': ENDPOINTS.flatMap((endpoint) => [
    { of: latency(endpoint, '1'), becomes: 10 },
    { of: latency(endpoint, '10'), becomes: 50 },
  ]),
  'Firestore denies the service, or is down': [
    ...['lqe-results', 'lqe-tokens'].flatMap((database) => [
      { of: firestore(database, 'OK'), becomes: null },
      { of: firestore(database, 'PERMISSION_DENIED'), becomes: 100 },
    ]),
    ...answered('503', ENDPOINTS),
    noWarmCalls,
  ],
  'A Firestore database is gone': [
    { of: { __name__: firestore('', '').__name__ }, becomes: null },
    ...answered('503', ENDPOINTS),
    noWarmCalls,
  ],
  'The token store is empty': answered('401', ENDPOINTS),
  'The certificate is not renewed': [certificate(14)],
  'The certificate has expired': [
    certificate(0),
    failing('healthz'),
    failing('readyz'),
    ...notReached,
    nobodyAtBalancer,
  ],
  'DNS or the load balancer leads elsewhere': [
    failing('healthz'),
    failing('readyz'),
    ...notReached,
    nobodyAtBalancer,
  ],
  'Cloud Armor throttles everybody': [
    ...notReached,
    nobodyAtBalancer,
    { of: balancer('', '429'), becomes: 291 },
    { of: armor('true'), becomes: 291 },
    { of: armor('false'), becomes: 0 },
  ],
  'A function runs as many instances as it may': [
    { of: instances('lqe-logs-all'), becomes: 20 },
    { of: balancer('lqe-logs-all', '429'), becomes: 200 },
  ],
  'The job of warming is paused, or may not call': [noWarmCalls],
  'Queries fail while results are warmed': [{ of: failedRounds, becomes: 0.2 }],
  'All callers stop': [...notReached, nobodyAtBalancer],
  'A caller reads far more than usual': [{ of: bytes, becomes: 2 ** 36 }],
  'Pub/Sub may not write to a table, or the table is gone': [
    { of: oldestEntry('edge_logs'), becomes: 3_600 },
  ],
  'A program publishes entries that do not fit their table': [{ of: deadLetters, becomes: 12 }],
};
