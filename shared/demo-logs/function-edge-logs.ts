import type { Draft } from './draft.ts';
import { type Invocation, invocations } from './invocations.ts';
import { httpDateOf, later } from './moment.ts';
import { randomOf } from './slots.ts';

/** What the gateway logs about calls of edge functions: one entry a call, when it has ended. */
export function* functionEdgeLogs(project: string, nowSecond: number): Generator<Draft> {
  for (const invocation of invocations(project, nowSecond)) yield entry(invocation);
}

function entry(invocation: Invocation): Draft {
  const random = randomOf(invocation.slot, 'function_edge_logs');
  const { called, client, project, status } = invocation;
  const at = later(invocation.at, invocation.durationMs);
  const host = `${project}.functions.example.co`;
  const pathname = `/functions/v1/${called.name}`;
  const method = random.weighted([
    ['POST', 80],
    ['GET', 15],
    ['OPTIONS', 5],
  ]);
  const hasBody = method === 'POST';
  return {
    id: random.uuid(),
    at,
    project,
    message: `${method} | ${status} | https://${host}${pathname}`,
    metadata: [
      {
        deployment_id: invocation.deploymentId,
        execution_id: invocation.executionId,
        execution_time_ms: invocation.durationMs,
        function_id: called.id,
        project_ref: project,
        request: random.chance(0.01)
          ? undefined
          : [
              {
                headers: [
                  {
                    accept: '*/*',
                    content_length: hasBody ? String(random.int(2, 4000)) : undefined,
                    host,
                    user_agent: client.userAgent,
                  },
                ],
                host,
                method,
                pathname,
                protocol: 'https:',
                url: `https://${host}${pathname}`,
              },
            ],
        response: [
          {
            headers: [
              {
                content_length: status === 204 ? undefined : String(random.int(2, 9000)),
                content_type: status === 204 ? undefined : 'application/json',
                date: httpDateOf(at),
                server: 'edge-runtime',
                vary: random.chance(0.5) ? 'Accept-Encoding' : undefined,
              },
            ],
            status_code: status,
          },
        ],
        version: called.version,
      },
    ],
  };
}
