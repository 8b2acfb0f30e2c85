import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Order, Outcome } from './messages.ts';

const ENGINE = fileURLToPath(new URL('./engine.ts', import.meta.url));
const LOOK_EVERY_MS = 50;
/** Clock ticks of /proc in a second, which Linux fixes. */
const TICKS_PER_SECOND = 100;

/** Runs queries in its own process, one after the other, and ends that process where one uses too much. */
export class Probe {
  readonly #maxCpuMs: number;
  #child: ChildProcess | null = null;

  constructor(maxCpuMs: number) {
    this.#maxCpuMs = maxCpuMs;
  }

  async run(sql: string, interruptAfterMs: number | null = null): Promise<Outcome> {
    const child = await this.#started();
    const order: Order = { sql, interruptAfterMs };
    const before = cpuMsOf(child.pid ?? 0);
    return new Promise((resolve) => {
      const settle = (outcome: Outcome) => {
        clearInterval(timer);
        child.off('message', settle);
        child.off('exit', onExit);
        resolve(outcome);
      };
      const ended = (message: string) => {
        this.#child = null;
        settle({ kind: 'killed', message, cpuMs: this.#maxCpuMs, stoppedInMs: null });
      };
      const onExit = (code: number | null, signal: string | null) =>
        ended(`the process ended: ${signal ?? code}`);
      const timer = setInterval(() => {
        if (cpuMsOf(child.pid ?? 0) - before < this.#maxCpuMs) return;
        child.off('exit', onExit);
        child.kill('SIGKILL');
        ended(`more than ${this.#maxCpuMs} ms of CPU time`);
      }, LOOK_EVERY_MS);
      child.on('message', settle);
      child.on('exit', onExit);
      child.send(order);
    });
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  async #started(): Promise<ChildProcess> {
    if (this.#child !== null) return this.#child;
    const child = fork(ENGINE, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    await once(child, 'message');
    this.#child = child;
    return child;
  }
}

function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
