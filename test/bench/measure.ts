/** One of the things that are compared. */
export interface Candidate {
  readonly name: string;
  run(): Promise<unknown>;
}

export interface Timing {
  readonly name: string;
  /** Of single runs, in ms. */
  readonly p50: number;
  readonly p99: number;
  /** The least CPU time of a run, of all threads of this process, in ms: it depends less on what else the machine does. */
  readonly leastCpu: number;
  readonly runs: number;
}

const WARM_UP_ROUNDS = 2;
const LEAST_ROUNDS = 5;
const MOST_ROUNDS = 2000;

/**
 * Times the candidates in turns, A B C C B A, so that whatever else the machine does strikes all of them alike. Ends
 * after `budgetMs`, but not before each has run a few times.
 */
export async function compare(
  candidates: readonly Candidate[],
  budgetMs: number,
): Promise<readonly Timing[]> {
  const samples = candidates.map((): number[] => []);
  const cpu = candidates.map((): number[] => []);
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    for (const candidate of candidates) await candidate.run();
  }
  const endMs = performance.now() + budgetMs;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (round >= LEAST_ROUNDS && performance.now() > endMs) break;
    const turns = candidates.map((candidate, index) => {
      return { candidate, times: samples[index] ?? [], cpuTimes: cpu[index] ?? [] };
    });
    for (const { candidate, times, cpuTimes } of round % 2 === 0 ? turns : turns.reverse()) {
      const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
      await candidate.run();
      const { user, system } = process.cpuUsage(startCpu);
      times.push(performance.now() - startMs);
      cpuTimes.push((user + system) / 1000);
    }
  }
  return candidates.map(({ name }, index) => summary(name, samples[index] ?? [], cpu[index] ?? []));
}

function summary(name: string, times: readonly number[], cpuTimes: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { name, p50: at(0.5), p99: at(0.99), leastCpu: Math.min(...cpuTimes), runs: sorted.length };
}
