import { publicFunctions } from './counts.ts';
import {
  type CostModel,
  type CostRow,
  type CostSection,
  formatCount,
  GIB,
  MONTH_HOURS,
  MONTH_SECONDS,
  rowOf,
  TIB,
} from './model.ts';

/** Days after which BigQuery halves the price of a partition that did not change. */
const LONG_TERM_DAYS = 90;

/** What costs the same however much is asked. */
export function fixedSection(model: CostModel): CostSection {
  const { volumes, deployment, endpoints } = model;
  const jobs = endpoints.filter(({ warmEverySeconds }) => warmEverySeconds !== null).length;
  const gib = volumes.memoryMib / 1024;
  const idle = volumes.minInstances * publicFunctions(model);
  const seconds = formatCount(MONTH_SECONDS);
  const instances = `${volumes.minInstances} × ${publicFunctions(model)} functions × ${seconds} s`;
  return {
    title: 'Each month, used or not',
    rows: [
      rowOf(model, 'load balancer', 'load-balancer-rule', {
        amount: MONTH_HOURS,
        from: `one forwarding rule × ${MONTH_HOURS} h`,
      }),
      rowOf(model, 'Cloud Armor, policy', 'armor-policy', { amount: 1, from: '1' }),
      rowOf(model, 'Cloud Armor, rules', 'armor-rule', {
        amount: deployment.armorRules,
        from: `${deployment.armorRules}`,
      }),
      rowOf(model, 'Cloud Scheduler, jobs', 'scheduler-job', { amount: jobs, from: `${jobs}` }),
      rowOf(model, 'Secret Manager, versions', 'secret-version', { amount: 1, from: '1' }),
      ...(idle === 0
        ? []
        : [
            rowOf(model, 'instances kept running, CPU', 'function-idle-cpu', {
              amount: idle * MONTH_SECONDS * deployment.cpus,
              from: `${instances} × ${deployment.cpus} CPU`,
            }),
            rowOf(model, 'instances kept running, memory', 'function-idle-memory', {
              amount: idle * MONTH_SECONDS * gib,
              from: `${instances} × ${formatCount(gib)} GiB`,
            }),
          ]),
    ],
  };
}

/** Keeping and writing logs. */
export function logsSection(model: CostModel): CostSection {
  const { tibPerMonth, retentionDays } = model.volumes;
  const gibPerDay = (tibPerMonth * TIB) / GIB / (MONTH_HOURS / 24);
  const kept = (days: number) => ({
    amount: gibPerDay * days,
    from: `${formatCount(gibPerDay)} GiB a day × ${days} days`,
  });
  const active = Math.min(retentionDays, LONG_TERM_DAYS);
  return {
    title: 'Logs',
    rows: [
      rowOf(model, 'BigQuery storage, active', 'bigquery-storage-active', kept(active)),
      ...(retentionDays > active
        ? [
            rowOf(
              model,
              'BigQuery storage, long term',
              'bigquery-storage-long-term',
              kept(retentionDays - active),
            ),
          ]
        : []),
      ...writingRows(model),
    ],
  };
}

function writingRows(model: CostModel): readonly CostRow[] {
  const { tibPerMonth, ingest } = model.volumes;
  const gib = (tibPerMonth * TIB) / GIB;
  const written = { amount: gib, from: `${formatCount(gib)} GiB` };
  const published = { amount: tibPerMonth, from: `${formatCount(tibPerMonth)} TiB` };
  switch (ingest) {
    case 'load':
      return [{ item: 'writing, load jobs', arithmetic: `${written.from}, free`, usd: 0 }];
    case 'write-api':
      return [rowOf(model, 'writing, Storage Write API', 'bigquery-write-api', written)];
    case 'pubsub':
      return [
        rowOf(model, 'writing, Pub/Sub topics', 'pubsub-publish', published),
        rowOf(model, 'writing, BigQuery subscriptions', 'pubsub-bigquery', published),
      ];
    default: {
      const unreachable: never = ingest;
      throw new TypeError(`ingest ${unreachable}`);
    }
  }
}
