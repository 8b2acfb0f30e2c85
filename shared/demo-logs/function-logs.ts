import type { Draft } from './draft.ts';
import { fill } from './fill.ts';
import { type Invocation, invocations } from './invocations.ts';
import { isoOf, later } from './moment.ts';
import type { Period } from './slots.ts';
import { randomOf } from './slots.ts';

type EventType = 'Boot' | 'Log' | 'UncaughtException' | 'Shutdown';

interface Line {
  readonly event: EventType;
  readonly level: 'log' | 'info' | 'warning' | 'error';
  readonly text: string;
  /** Milliseconds after the call. */
  readonly afterMs: number;
}

/** How long a worker waits for another call before it ends. */
const IDLE_MS = 30_000;

/** What the functions themselves write: boot, console lines, uncaught errors, shutdown. */
export function* functionLogs(project: string, period: Period): Generator<Draft> {
  for (const invocation of invocations(project, period)) yield* entries(invocation);
}

function* entries(invocation: Invocation): Generator<Draft> {
  const random = randomOf(invocation.slot, 'function_logs');
  const { called, project } = invocation;
  for (const line of linesOf(invocation)) {
    const at = later(invocation.at, line.afterMs);
    yield {
      id: random.uuid(),
      at,
      project,
      message: line.text,
      metadata: [
        {
          deployment_id: invocation.deploymentId,
          event_type: line.event,
          execution_id: invocation.executionId,
          function_id: called.id,
          level: line.level,
          project_ref: project,
          request_id: invocation.requestId,
          region: random.chance(0.03) ? undefined : invocation.region,
          timestamp: isoOf(at),
          version: called.version,
        },
      ],
    };
  }
}

function linesOf(invocation: Invocation): Line[] {
  const { called, durationMs, status } = invocation;
  const random = randomOf(invocation.slot, 'function_logs/lines');
  const lines: Line[] = [];
  if (invocation.isColdStart) {
    lines.push({ event: 'Boot', level: 'log', text: `booted (time: ${random.int(18, 60)}ms)`, afterMs: 0.2 });
  }
  const count = random.int(invocation.isColdStart ? 0 : 1, 3);
  for (let i = 1; i <= count; i++) {
    const [level, text] = random.pick(called.lines);
    const afterMs = (durationMs * i) / (count + 1);
    lines.push({ event: 'Log', level, text: fill(text, { n: random.int(1, 5000) }), afterMs });
  }
  if (status >= 500) {
    const text = `${called.failure}\n    at handler (file:///src/index.ts:${random.int(8, 90)}:${random.int(3, 40)})\n`;
    lines.push({ event: 'UncaughtException', level: 'error', text, afterMs: durationMs * 0.98 });
  }
  if (invocation.isColdStart && random.chance(0.7)) {
    lines.push({ event: 'Shutdown', level: 'log', text: 'shutdown', afterMs: durationMs + IDLE_MS });
  }
  return lines;
}
