import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { GIVEN, mockProvider, type Outcome, terraformTest } from './support/terraform-test.ts';

/** What a careless operator gives, and the sentence that comes back. */
const REFUSED: readonly (readonly [variables: string, sentence: string])[] = [
  [
    'project = ""',
    'project must be the ID of a Google Cloud project: 6 to 30 lower-case letters, digits and hyphens, beginning with a letter.',
  ],
  [
    'project = "Acme Logs"',
    'project must be the ID of a Google Cloud project: 6 to 30 lower-case letters, digits and hyphens, beginning with a letter.',
  ],
  [
    'project = "123456789012"',
    'project must be the ID of a Google Cloud project: 6 to 30 lower-case letters, digits and hyphens, beginning with a letter.',
  ],
  [
    'region = ""',
    'region must be the name of a Google Cloud region, such as europe-west1 (without a zone letter).',
  ],
  [
    'region = "europe-west1-b"',
    'region must be the name of a Google Cloud region, such as europe-west1 (without a zone letter).',
  ],
  [
    'region = "EU"',
    'region must be the name of a Google Cloud region, such as europe-west1 (without a zone letter).',
  ],
  [
    'retention_days = 0',
    'retention_days must be a whole number from 1 to 3650; log tables without an end are not kept.',
  ],
  [
    'retention_days = 1.5',
    'retention_days must be a whole number from 1 to 3650; log tables without an end are not kept.',
  ],
  [
    'retention_days = -30',
    'retention_days must be a whole number from 1 to 3650; log tables without an end are not kept.',
  ],
  ...['cloudflare', 'a.b.c.d', 'UPPER.a.b', 'raw.events*', '', 'acme.raw.b`'].map(
    (table) =>
      [
        `log_tables = { edge_logs = "${table}" }`,
        'A table in log_tables must be written project.dataset.table or dataset.table, or be null for a source that is absent.',
      ] as const,
  ),
  [
    'log_tables = { edge_log = "raw.cloudflare" }',
    'The keys of log_tables must be sources, which are the files in queries/sources without their ending, such as edge_logs.',
  ],
  ['partition_by = "MONTH"', 'partition_by must be HOUR or DAY.'],
  [
    'retention_days = 417',
    'retention_days may be at most 416 where partition_by is HOUR, since a table in BigQuery has at most 10,000 partitions; for a longer time set partition_by = "DAY".',
  ],
  [
    'domain = "https://logs.example.com"',
    'domain must be a host name in lower case without scheme, port or path, such as logs.example.com.',
  ],
  [
    'domain = "203.0.113.7"',
    'domain must be a host name in lower case without scheme, port or path, such as logs.example.com.',
  ],
  [
    'domain = null',
    'Give domain for a managed certificate, or certificate for one of your own, or http_only = true for a trial without encryption.',
  ],
  [
    'http_only = true',
    'http_only is for trials without a certificate; leave it out when domain or certificate is given.',
  ],
  [
    'certificate = "projects/x/y"',
    'certificate must be the name of a global SSL certificate in the project; "gcloud compute ssl-certificates list --global" shows them.',
  ],
  [
    'alert_email = "oncall"',
    'alert_email must be an e-mail address, such as oncall@example.com, or be left out.',
  ],
  [
    'alert_thresholds = { error_ratio = 5 }',
    'alert_thresholds.error_ratio must be more than 0 and less than 1; 0.05 means one answer in twenty.',
  ],
  [
    'alert_thresholds = { memory_ratio = 1 }',
    'alert_thresholds.memory_ratio, turned_away_ratio and unauthenticated_ratio must each be more than 0 and less than 1; 0.25 means one in four.',
  ],
  [
    'alert_thresholds = { instance_exits = 0.5 }',
    'alert_thresholds.bigquery_errors, instance_exits and traffic_per_hour must each be a whole number of at least 1.',
  ],
  [
    'alert_thresholds = { certificate_days = 0 }',
    'alert_thresholds.certificate_days must be from 1 to 90; a managed certificate is renewed a month before it expires.',
  ],
  [
    'alert_thresholds = { entries_wait_seconds = 30 }',
    'alert_thresholds.entries_wait_seconds must be at least 60; it is measured once a minute.',
  ],
  [
    'alert_thresholds = { warming_minutes = 5 }',
    'alert_thresholds.warming_minutes must be a whole number from 10 to 1440.',
  ],
  [
    'notification_channels = ["oncall"]',
    'notification_channels must be whole names, such as projects/acme-logs/notificationChannels/1234567890; "gcloud beta monitoring channels list" shows them.',
  ],
  [
    'notification_channels = ["projects/p/notificationChannels/1", "projects/p/notificationChannels/1"]',
    'notification_channels must name each channel once.',
  ],
  [
    'runbook_url = "https://example.com/operations.md#alerts"',
    'runbook_url must begin with https://, have no # in it, since each alert adds the anchor of its section, and have at most 1900 characters.',
  ],
  [
    'silenced_alerts = ["No traffic"]',
    'silenced_alerts may have bigquery, bytes-billed, calls-turned-away, certificate, error-ratio, firestore, instance-cap, instance-exits, instance-memory, latency, no-traffic, not-ready, tokens-refused, unreachable and warming-fails.',
  ],
  ['uptime_check = { period_seconds = 30 }', 'uptime_check.period_seconds must be 60, 300, 600 or 900.'],
  [
    'uptime_check = { regions = ["EUROPE"] }',
    'uptime_check.regions must be three different ones at least, or be left out for all.',
  ],
  [
    'uptime_check = { regions = ["EUROPE", "USA", "MOON"] }',
    'uptime_check.regions may have ASIA_PACIFIC, EUROPE, SOUTH_AMERICA, USA_IOWA, USA_OREGON and USA_VIRGINIA.',
  ],
  [
    'alert_thresholds = { p95_latency_seconds = 0 }',
    'alert_thresholds.p95_latency_seconds and alert_thresholds.bytes_billed_per_hour must be more than 0.',
  ],
  [
    'budget = { billing_account = "mine", monthly_amount = 5 }',
    'budget.billing_account must be the ID of a billing account, such as 012345-6789AB-CDEF01; "gcloud billing accounts list" shows it.',
  ],
  [
    'budget = { billing_account = "012345-6789AB-CDEF01", monthly_amount = 0 }',
    'budget.monthly_amount must be a whole number of at least 1.',
  ],
  [
    'code_directory = "/nonexistent"',
    'There is no dist/manifest.json in the folder of the code; run "npm run build" there first.',
  ],
  ['cursor_key_version = 0', 'cursor_key_version must be a whole number of at least 1.'],
  ['function = { concurrency = 0 }', 'function.concurrency must be a whole number from 1 to 1000.'],
  ['function = { max_instances = 1001 }', 'function.max_instances must be a whole number from 1 to 1000.'],
  [
    'function = { memory_mib = 128 }',
    'function.memory_mib must be a whole number from 256 to 4096, which is what one CPU can have.',
  ],
  ['function = { timeout_seconds = 10 }', 'function.timeout_seconds must be a whole number from 20 to 3600.'],
  [
    'ingest = true\n  ingest_default_project = " acme"',
    'ingest_default_project must be the name of a project, at most 256 characters without control characters or space around it.',
  ],
  [
    'ingest_default_project = "acme"',
    'ingest_default_project is of entries that are received: set ingest = true.',
  ],
  ['log_dataset = { id = "my-logs" }', 'log_dataset.id must be letters, digits and underscores.'],
  [
    'log_dataset = { project = "acme-lake" }',
    'log_dataset.project is for tables that exist already; set existing = true as well, or leave the project out.',
  ],
  [
    'log_dataset = { existing = true, location = "EU" }',
    'log_dataset.id must say which dataset the existing tables are in.',
  ],
  [
    'log_dataset = { existing = true, id = "raw" }',
    'log_dataset.location must say where the existing tables are, such as EU or europe-west1; "bq show" shows it.',
  ],
  [
    'name = "Staging"',
    'name must be 2 to 16 lower-case letters, digits and hyphens, beginning with a letter and not ending with a hyphen.',
  ],
  [
    'name = "staging-"',
    'name must be 2 to 16 lower-case letters, digits and hyphens, beginning with a letter and not ending with a hyphen.',
  ],
  ['min_instances = 21', 'min_instances must be a whole number from 0 to function.max_instances.'],
  ['min_instances = -1', 'min_instances must be a whole number from 0 to function.max_instances.'],
  ['consumer_queries = { running = 0 }', 'consumer_queries.running must be a whole number from 1 to 1000.'],
  ['consumer_queries = { waiting = -1 }', 'consumer_queries.waiting must be a whole number from 0 to 10000.'],
  [
    'consumer_queries = { deadline_seconds = 0.5 }',
    'consumer_queries.deadline_seconds must be a whole number from 1 to 3590.',
  ],
  [
    'consumer_queries = { cpu_seconds_per_minute = 0 }',
    'consumer_queries.cpu_seconds_per_minute must be a whole number from 1 to 100000.',
  ],
  [
    'consumer_queries = { max_bytes_billed = 10485759 }',
    'consumer_queries.max_bytes_billed must be a whole number of bytes from 10485760 (no query is billed for less) to 999999999999999.',
  ],
  [
    'stored_queries = { max_bytes_billed = 0 }',
    'stored_queries.max_bytes_billed must be a whole number of bytes from 10485760 (no query is billed for less) to 999999999999999.',
  ],
  [
    'stored_queries = { max_bytes_billed = 20000000.5 }',
    'stored_queries.max_bytes_billed must be a whole number of bytes from 10485760 (no query is billed for less) to 999999999999999.',
  ],
  [
    'warming = { max_bytes_per_round = -1 }',
    'warming.max_bytes_per_round must be a whole number from 0 to 999999999999999; 10737418240 is 10 GiB, and with 0 nothing is kept warm.',
  ],
  ['warming = { sets_per_token = 0 }', 'warming.sets_per_token must be a whole number from 1 to 1000.'],
  ['rate_limit_per_minute = 0', 'rate_limit_per_minute must be a whole number from 1 to 1000000.'],
];

let outcomes: ReadonlyMap<string, Outcome>;
beforeAll(async () => {
  outcomes = await terraformTest(
    Object.fromEntries(REFUSED.map(([variables], index) => [`case_${index}`, planned(variables)])),
  );
});

/** The valid values, with these in place of some of them. */
function planned(variables: string): string {
  const name = variables.split(' ')[0] ?? '';
  const others = GIVEN.split('\n').filter((line) => line.trim().split(' ')[0] !== name);
  return `${mockProvider()}\nrun "plan" {\n  command = plan\n  variables {\n  ${[...others, variables].join('\n  ')}\n  }\n}\n`;
}

describe('a variable that is wrong', () => {
  test.each(REFUSED.map(([variables, sentence], index) => ({ variables, sentence, index })))(
    'is refused with a sentence: $variables',
    ({ sentence, index }) => {
      const errors = outcomes.get(`case_${index}`)?.errors ?? [];
      expect([...new Set(errors.map((error) => error.split('\n\n')[0]))]).toEqual([sentence]);
    },
  );

  test('has a case for every sentence in variables.tf', () => {
    const text = readFileSync('terraform/variables.tf', 'utf8');
    const sentences = [...text.matchAll(/error_message = ("(?:[^"\\]|\\.)*")/g)].map(([, quoted = '']) =>
      JSON.parse(quoted),
    );
    expect(new Set(REFUSED.map(([, sentence]) => sentence))).toEqual(new Set(sentences));
  });
});
