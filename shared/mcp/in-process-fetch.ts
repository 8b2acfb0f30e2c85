import { inject } from 'light-my-request';
import type { HttpHandler } from '../http/response/reply.ts';

/** What a client sends its requests with, so that a handler of this process answers them. */
export function inProcessFetch(
  handler: HttpHandler,
  headers: Readonly<Record<string, string>>,
): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, { method, body, headers: own, signal }) => {
    const { pathname, search } = new URL(url);
    const answer = await inject((req, res) => void handler(req, res), {
      method: method === 'POST' ? 'POST' : 'GET',
      url: `${pathname}${search}`,
      headers: { ...headers, ...(own as Record<string, string>) },
      ...(typeof body === 'string' ? { payload: body } : {}),
      ...(signal ? { signal } : {}),
    });
    const names = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(answer.payload, { status: answer.statusCode, headers: names });
  };
}
