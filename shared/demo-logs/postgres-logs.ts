import { pickClient, pickUser } from './clients.ts';
import type { Draft } from './draft.ts';
import { fill } from './fill.ts';
import { isIncident, minuteOfIncident } from './incident.ts';
import { later, type Moment, postgresTimeOf } from './moment.ts';
import { BACKGROUND } from './postgres-background.ts';
import { INCIDENT_STEPS, INCIDENT_WAITS } from './postgres-incident.ts';
import { databaseErrorOf, type PostgresMessage } from './postgres-message.ts';
import type { Random } from './random.ts';
import { TABLES } from './resources.ts';
import type { Period } from './slots.ts';
import { momentIn, randomOf, type Stream, usedSlots } from './slots.ts';
import { answeredAt, apiRequests } from './traffic.ts';

const STREAM: Stream = { name: 'postgres', slotSeconds: 20 };
const MINUTES: Stream = { name: 'postgres/incident', slotSeconds: 60, isActive: isIncident };
const WAITS: Stream = { name: 'postgres/waits', slotSeconds: 5, isActive: isIncident };

/** The database's log: its housekeeping, the errors behind failed REST requests, and the incident. */
export function* postgresLogs(project: string, period: Period): Generator<Draft> {
  for (const slot of usedSlots(STREAM, project, period)) {
    const random = randomOf(slot, 'postgres_logs');
    const table = random.pick(tablesOf(project));
    yield entry(project, table, momentIn(slot, random), random.weighted(BACKGROUND), random);
  }
  for (const request of apiRequests(project, period)) {
    const error = request.route.area === 'rest' ? databaseErrorOf(request.slot, request.status) : null;
    if (error === null) continue;
    const random = randomOf(request.slot, 'postgres_logs');
    yield entry(project, request.table, later(answeredAt(request), -1.5), error, random);
  }
  for (const slot of usedSlots(MINUTES, project, period)) {
    const random = randomOf(slot, 'postgres_logs');
    for (const step of INCIDENT_STEPS) {
      if (step.minute !== minuteOfIncident(slot.second)) continue;
      yield entry(project, '', later({ second: slot.second, micro: 0 }, step.afterMs), step.message, random);
    }
  }
  for (const slot of usedSlots(WAITS, project, period)) {
    const random = randomOf(slot, 'postgres_logs');
    yield entry(project, '', momentIn(slot, random), random.weighted(INCIDENT_WAITS), random);
  }
}

/** Functions of the API are no tables. */
function tablesOf(project: string): readonly string[] {
  return (TABLES[project] ?? ['items']).filter((name) => !name.includes('/'));
}

function entry(project: string, table: string, at: Moment, kind: PostgresMessage, random: Random): Draft {
  const pid = kind.pid ?? random.int(1000, 32_000);
  const client = pickClient(project, random);
  const port = random.int(30_000, 60_999);
  const values = {
    table,
    pid,
    other: random.int(1000, 32_000),
    xid: random.int(700_000, 900_000),
    number: random.int(100, 999),
    small: random.int(10, 59),
    address: client.ip,
    port,
    uuid: random.uuid(),
    email: pickUser(project, random).email,
  };
  const text = (template: string | undefined) =>
    template === undefined ? undefined : fill(template, values);
  const start = later(at, -random.int(5, 900_000));
  const isSession = kind.user !== undefined;
  const isConnected = isSession || kind.message.includes('{address}');
  const parsed = {
    application_name: kind.application,
    backend_type: kind.backend,
    command_tag: kind.command,
    connection_from: isConnected ? `${client.ip}:${port}` : undefined,
    database_name: isSession ? 'postgres' : undefined,
    detail: text(kind.detail),
    error_severity: kind.severity,
    hint: text(kind.hint),
    process_id: pid,
    query: text(kind.query),
    query_id: kind.query === undefined ? 0 : random.int(1_000_000, 2 ** 50),
    session_id: `${start.second.toString(16)}.${pid.toString(16)}`,
    session_line_num: random.int(1, 40),
    session_start_time: `${postgresTimeOf(start).slice(0, 19)} UTC`,
    sql_state_code: kind.state,
    timestamp: postgresTimeOf(at),
    transaction_id: kind.command === 'INSERT' || kind.command === 'UPDATE' ? values.xid : 0,
    user_name: kind.user,
    virtual_transaction_id: isSession ? `${random.int(2, 60)}/${random.int(1, 90_000)}` : undefined,
  };
  return {
    id: random.uuid(),
    at,
    project,
    message: fill(kind.message, values),
    metadata: random.chance(0.005)
      ? []
      : [{ host: `db-${project}`, parsed: random.chance(0.005) ? [] : [parsed] }],
  };
}
