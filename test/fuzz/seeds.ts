import { existsSync, readFileSync } from 'node:fs';
import { ATTACKS } from './attacks.ts';

const CASES = ['cases-public.jsonl', 'cases-errors.jsonl'];

/** Queries to start from: our own, the attacks, and the conformance cases where the folder beside the repository has them. */
export function readSeeds(): readonly string[] {
  const folder = new URL('../../../shared/conformance/', import.meta.url);
  const cases = CASES.map((name) => new URL(name, folder))
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean))
    .map((line) => (JSON.parse(line) as { sql: string }).sql);
  const attacks = ATTACKS.map(({ sql }) => sql).filter((sql) => sql.length < 1000);
  return [...OWN, ...cases, ...attacks];
}

const OWN = [
  'select id, timestamp, event_message, metadata from edge_logs limit 5',
  "select cast(timestamp as datetime) as timestamp, event_message, r.status_code, r2.path from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as r cross join unnest(m.request) as r2 where r.status_code >= 500 and regexp_contains(r2.path, r'^/rest/') order by timestamp desc limit 100",
  'select timestamp_trunc(timestamp, minute) as t, count(*) as n from edge_logs, unnest(metadata) as metadata group by t order by t desc',
  "with errors as (select * from postgres_logs where regexp_contains(event_message, '(?i)error')) select id, count(id) over (partition by event_message) from errors;",
  'select m.path[safe_offset(0)].x, struct(1 as a, "b" as b).a, array(select x from unnest([1, 2]) x with offset o where o > 0) from edge_logs m',
  'select * except (metadata) from auth_logs union all (select * except (metadata) from storage_logs) -- newest first\norder by timestamp desc',
  'select id from edge_logs e where exists (select 1 from e.metadata m, m.request r where r.path like "/auth%") and id not in (select id from auth_logs)',
  "select case when level = 'error' then 1 else 0 end as x, if(a, b, c), extract(hour from timestamp at time zone 'UTC'), interval 1 day from function_logs",
  'select a.id, b.id from edge_logs a left join postgres_logs b using (id) full join (select 1 as id) c on c.id = b.id qualify row_number() over w = 1 window w as (order by a.id rows between 1 preceding and current row)',
  'from edge_logs |> where true |> aggregate count(*) as n group by id |> order by n desc |> limit 5',
];
