/** A metric type of Cloud Monitoring, as Google's list of metrics describes it. */
export interface MetricType {
  readonly type: string;
  readonly kind: 'counter' | 'gauge' | 'distribution';
  /** The types of monitored resources that it is written for, each with its labels. */
  readonly resources: Readonly<Record<string, readonly string[]>>;
  /** Labels of the metric. */
  readonly labels: readonly string[];
}

const REVISION = ['project_id', 'service_name', 'revision_name', 'location', 'configuration_name'];
const LOAD_BALANCER = [
  ...['project_id', 'region', 'url_map_name', 'forwarding_rule_name', 'target_proxy_name'],
  ...['matched_url_path_rule', 'backend_target_name', 'backend_target_type', 'backend_name', 'backend_type'],
];

/**
 * The metric types of the platform that alerts and dashboard may read: written down from
 * https://cloud.google.com/monitoring/api/metrics_gcp and https://cloud.google.com/monitoring/api/resources. Nothing
 * here can ask Google whether they are still so.
 */
export const METRIC_TYPES: readonly MetricType[] = [
  ...['subscription/oldest_unacked_message_age', 'subscription/num_undelivered_messages'].map(
    (metric): MetricType => ({
      type: `pubsub.googleapis.com/${metric}`,
      kind: 'gauge',
      resources: { pubsub_subscription: ['project_id', 'subscription_id'] },
      labels: [],
    }),
  ),
  {
    type: 'run.googleapis.com/request_count',
    kind: 'counter',
    resources: { cloud_run_revision: REVISION },
    labels: ['response_code', 'response_code_class'],
  },
  {
    type: 'run.googleapis.com/container/instance_count',
    kind: 'gauge',
    resources: { cloud_run_revision: REVISION },
    labels: ['state'],
  },
  {
    type: 'run.googleapis.com/container/memory/utilizations',
    kind: 'distribution',
    resources: { cloud_run_revision: REVISION },
    labels: ['container_name'],
  },
  {
    type: 'loadbalancing.googleapis.com/https/request_count',
    kind: 'counter',
    resources: { https_lb_rule: LOAD_BALANCER },
    labels: [
      ...['response_code', 'response_code_class', 'protocol', 'cache_result', 'client_country'],
      'proxy_continent',
    ],
  },
  {
    type: 'networksecurity.googleapis.com/https/request_count',
    kind: 'counter',
    resources: { network_security_policy: ['project_id', 'location', 'policy_name'] },
    labels: ['blocked', 'backend_target_name'],
  },
  {
    type: 'monitoring.googleapis.com/uptime_check/check_passed',
    kind: 'gauge',
    resources: { uptime_url: ['project_id', 'host'] },
    labels: ['check_id', 'checked_resource_id', 'checker_location'],
  },
  {
    type: 'monitoring.googleapis.com/uptime_check/time_until_ssl_cert_expires',
    kind: 'gauge',
    resources: { uptime_url: ['project_id', 'host'] },
    labels: ['check_id', 'checked_resource_id', 'checker_location'],
  },
  {
    type: 'serviceruntime.googleapis.com/quota/exceeded',
    kind: 'gauge',
    resources: { consumer_quota: ['project_id', 'service', 'quota_metric', 'location'] },
    labels: ['limit_name'],
  },
  {
    type: 'firestore.googleapis.com/api/request_count',
    kind: 'counter',
    resources: { 'firestore.googleapis.com/Database': ['resource_container', 'location', 'database_id'] },
    labels: ['api_method', 'response_code'],
  },
];

/** The resources that log-based metrics have, which are those of the entries that they count. */
export const LOGGED_RESOURCES: Readonly<Record<string, readonly string[]>> = {
  bigquery_project: ['project_id', 'location'],
  cloud_run_revision: REVISION,
  cloud_scheduler_job: ['project_id', 'location', 'job_id'],
};

/** The name that PromQL has for a metric type: https://cloud.google.com/monitoring/promql/promql-mapping. */
export function promqlName(type: string): string {
  const slash = type.indexOf('/');
  const underscored = (text: string) => text.replaceAll(/[^A-Za-z0-9_]/g, '_');
  return `${underscored(type.slice(0, slash))}:${underscored(type.slice(slash + 1))}`;
}

/** A selector in a query: the metric's name without the suffix of a distribution, and the labels that it matches. */
export interface Selector {
  readonly metric: string;
  readonly suffix: string;
  readonly matchers: ReadonlyMap<string, string>;
}

/** The selectors of a query that name a metric of Cloud Monitoring. */
export function selectorsOf(query: string): readonly Selector[] {
  return [...query.matchAll(/(\w+:\w+?)(_bucket|_sum|_count)?\{([^}]*)\}/g)].flatMap(
    ([, name = '', suffix = '', text = '']) => {
      const matchers = new Map(
        [...text.matchAll(/(\w+)(?:=~|!=|!~|=)"([^"]*)"/g)].map(([, label = '', value = '']) => [
          label,
          value,
        ]),
      );
      const isOwnName = METRIC_TYPES.some(({ type }) => promqlName(type) === `${name}${suffix}`);
      return [
        isOwnName ? { metric: `${name}${suffix}`, suffix: '', matchers } : { metric: name, suffix, matchers },
      ];
    },
  );
}
