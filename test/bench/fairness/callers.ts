import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where a caller sends its requests, and as whom. */
export interface Target {
  readonly port: number;
  readonly token: string;
}

/** What became of a caller's requests. */
export interface Outcome {
  /** How long each answer took, in ms. */
  readonly times: number[];
  /** How many answers had each code; 0 for none. */
  readonly codes: Map<number, number>;
}

/** One request; resolves to the code of the answer once it is whole, 0 where there was none. */
function send({ port, token }: Target, path: string, agent: Agent | false, leaveAfterMs?: number) {
  return new Promise<number>((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path, agent, headers: { 'x-api-key': token } });
    outgoing.on('response', (incoming) => {
      incoming.on('error', () => resolve(0));
      incoming.on('end', () => resolve(incoming.statusCode ?? 0));
      incoming.resume();
    });
    outgoing.on('error', () => resolve(0));
    outgoing.end();
    if (leaveAfterMs !== undefined) setTimeout(() => outgoing.destroy(), leaveAfterMs);
  });
}

/** Asks one thing after the other, with a pause in between, until `isOver`. */
export async function askInTurn(
  target: Target,
  pathOf: (n: number) => string,
  pauseMs: number,
  isOver: () => boolean,
): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const outcome: Outcome = { times: [], codes: new Map() };
  for (let n = 0; !isOver(); n += 1) {
    const startMs = performance.now();
    const code = await send(target, pathOf(n), agent);
    outcome.times.push(performance.now() - startMs);
    outcome.codes.set(code, (outcome.codes.get(code) ?? 0) + 1);
    await sleep(pauseMs);
  }
  agent.destroy();
  return outcome;
}

/** Sends `perSecond` requests a second, whatever comes back, and hangs up on each after `leaveAfterMs`. */
export async function attack(
  target: Target,
  pathOf: (n: number) => string,
  { perSecond, leaveAfterMs }: { readonly perSecond: number; readonly leaveAfterMs: number | undefined },
  isOver: () => boolean,
): Promise<Map<number, number>> {
  const codes = new Map<number, number>();
  const sent: Promise<void>[] = [];
  for (let n = 0; !isOver(); n += 1) {
    const one = send(target, pathOf(n), false, leaveAfterMs).then((code) => {
      codes.set(code, (codes.get(code) ?? 0) + 1);
    });
    sent.push(one);
    await sleep(1000 / perSecond);
  }
  await Promise.all(sent);
  return codes;
}
