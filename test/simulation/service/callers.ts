import { authenticate } from '../../../shared/access/authenticate.ts';
import type { CacheReply } from '../../../shared/cache/result-cache.ts';
import { bindParameters } from '../../../shared/endpoints/bind-parameters.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { World } from '../world/world.ts';
import type { Instance } from './instance.ts';
import { type Asked, accountOf, answerOf, type Ledger, type Round, setOf, type Wanted } from './ledger.ts';

export interface RequestOptions extends Wanted {
  readonly token: string;
  /** `Cache-Control: no-cache`. */
  readonly bypassesCache: boolean;
  /** After which the caller goes away; null for a caller that waits. */
  readonly patienceMs: number | null;
}

/** Receives what callers see. */
export interface Observer {
  onAuthenticated(asked: Asked): void;
  onAnswer(asked: Asked, reply: CacheReply): void;
  /** The answer leaves the instance. */
  onGiven(asked: Asked): void;
  onEnd(asked: Asked | Round): void;
}

export interface CallerDeps {
  readonly world: World;
  readonly ledger: Ledger;
  readonly observer: Observer;
}

/** Sends a request to an instance, which does with it what shared/http/query/query-handler.ts does. */
export function send(deps: CallerDeps, instance: Instance, request: RequestOptions): void {
  const { world, ledger, observer } = deps;
  const { host } = instance;
  const controller = new AbortController();
  world.after(0, host, 'request', async () => {
    const asked: Asked = {
      ...request,
      number: ++ledger.requests,
      host,
      arrivedMs: world.nowMs,
      pausedBeforeMs: host.pausedMs,
    };
    ledger.openRequests.add(asked);
    const name = `request ${asked.number}`;
    world.note(
      host.name,
      `${name}: ${answerOf(request)} with ${request.token}${request.bypassesCache ? ', no-cache' : ''}`,
    );
    if (request.patienceMs !== null) {
      world.after(request.patienceMs, host, 'hang up', () =>
        controller.abort(new Error('the caller has gone')),
      );
    }
    try {
      const reply = await answer(instance, asked, controller.signal, () => observer.onAuthenticated(asked));
      note(ledger, asked);
      world.note(
        host.name,
        `${name} → ${reply.state}, ${reply.entry.answer.rows.join()}, age ${reply.ageMs.toFixed(0)} ms`,
      );
      observer.onAnswer(asked, reply);
      await noteDemand(instance, asked);
      observer.onGiven(asked);
    } catch (error) {
      if (!(error instanceof ServiceError || controller.signal.aborted)) throw error;
      world.note(host.name, `${name} → ${error instanceof ServiceError ? error.kind : 'gone'}`);
    } finally {
      ledger.openRequests.delete(asked);
      observer.onEnd(asked);
    }
  });
}

async function answer(
  { host, tokens, obtain }: Instance,
  wanted: Asked,
  signal: AbortSignal,
  onAuthenticated: () => void,
): Promise<CacheReply> {
  const { endpoint, project, isRedacted, token, bypassesCache } = wanted;
  await authenticate({ 'x-api-key': token }, tokens, host.clock.wallMs());
  onAuthenticated();
  const { values } = await bindParameters(endpoint, new Map([['project', [project]]]));
  return obtain({
    endpoint,
    values,
    query: { sql: endpoint.sql, parameters: values },
    bypassCache: bypassesCache,
    isRedacted: isRedacted || endpoint.redactPii,
    maxRows: null,
    maxBytesBilled: null,
    account: accountOf(wanted),
    sqlDeadlineMs: null,
    cpuSecondsPerMinute: null,
    signal,
  });
}

/** What an answer that is ready, and whose age has been told, waits for. */
async function noteDemand({ demand }: Instance, asked: Asked): Promise<void> {
  const { endpoint, project, isRedacted, token } = asked;
  if (endpoint.warmEverySeconds === null) return;
  await demand.record({ endpointId: endpoint.id, parameters: { project }, isRedacted }, token);
}

function note({ askedAt }: Ledger, asked: Asked): void {
  const moments = askedAt.get(setOf(asked));
  if (moments === undefined) askedAt.set(setOf(asked), [asked.arrivedMs]);
  else moments.push(asked.arrivedMs);
}

/** Calls an instance as the scheduler does. */
export function callWarm(
  { world, ledger, observer }: CallerDeps,
  { host, warm }: Instance,
  endpoint: Wanted['endpoint'],
): void {
  world.after(0, host, 'warm', async () => {
    const round: Round = { host, endpoint, startedMs: world.nowMs, pausedBeforeMs: host.pausedMs };
    ledger.openRounds.add(round);
    world.note(host.name, `warms ${endpoint.name}`);
    try {
      const report = await warm(endpoint, new AbortController().signal);
      world.note(host.name, `warmed ${endpoint.name}: ${JSON.stringify(report)}`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      world.note(host.name, `could not warm ${endpoint.name}: ${error.kind}`);
    } finally {
      ledger.openRounds.delete(round);
      observer.onEnd(round);
    }
  });
}
