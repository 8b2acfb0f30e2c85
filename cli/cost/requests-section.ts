import { callsOf } from './counts.ts';
import { type CostModel, type CostSection, formatCount, GIB, KIB, rowOf } from './model.ts';

/** A request as it arrives, with its headers. */
const REQUEST_KIB = 1;

/** What each call costs on its way. */
export function requestsSection(model: CostModel): CostSection {
  const { volumes, deployment } = model;
  const calls = callsOf(model);
  if (calls === 0) return { title: 'Requests', rows: [] };
  const counted = `${formatCount(calls)} calls`;
  const seconds = (calls * volumes.callSeconds) / volumes.atOnce;
  const busy = `${counted} × ${volumes.callSeconds} s ÷ ${volumes.atOnce} at once`;
  const gib = volumes.memoryMib / 1024;
  const sent = (calls * volumes.answerKib * KIB) / GIB;
  const logged = (calls * volumes.logKib * KIB) / GIB;
  return {
    title: 'Requests',
    rows: [
      rowOf(model, 'functions, calls', 'function-calls', { amount: calls, from: counted }),
      rowOf(model, 'functions, CPU', 'function-cpu', {
        amount: seconds * deployment.cpus,
        from: `${busy} × ${deployment.cpus} CPU`,
      }),
      rowOf(model, 'functions, memory', 'function-memory', {
        amount: seconds * gib,
        from: `${busy} × ${formatCount(gib)} GiB`,
      }),
      rowOf(model, 'Cloud Armor, requests', 'armor-requests', { amount: calls, from: counted }),
      rowOf(model, 'load balancer, data', 'load-balancer-data', {
        amount: sent + (calls * REQUEST_KIB * KIB) / GIB,
        from: `${counted} × (${volumes.answerKib} + ${REQUEST_KIB} KiB)`,
      }),
      rowOf(model, 'egress', 'egress', { amount: sent, from: `${counted} × ${volumes.answerKib} KiB` }),
      rowOf(model, 'logging, ingestion', 'log-ingestion', {
        amount: logged,
        from: `${counted} × ${volumes.logKib} KiB`,
      }),
    ],
  };
}
