import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/**
 * The IP address of whoever called, where the platform's proxies are known to end X-Forwarded-For with so many
 * addresses: the caller's is at `position`, counted from the right and from 1, since what stands left of it may be the
 * caller's invention. Google's load balancer appends the caller's address and its own, which makes it 2
 * (https://cloud.google.com/load-balancing/docs/https#x-forwarded-for_header). 0 stands for the connection's address,
 * which also stands in for a header that has no address there.
 */
export function callerAddress(
  headers: IncomingHttpHeaders,
  connectionAddress: string | undefined,
  position: number,
): string | undefined {
  const header = headers['x-forwarded-for'];
  if (position === 0 || header === undefined) return connectionAddress;
  const text = (Array.isArray(header) ? header.join(',') : header).split(',').at(-position)?.trim() ?? '';
  return isIP(text) === 0 ? connectionAddress : text;
}
