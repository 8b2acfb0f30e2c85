import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** How a body is compressed on its way (RFC 9110, section 8.4.1). */
export type Coding = 'br' | 'gzip' | 'identity';

/** Bodies below this size are sent as they are: compressed they are hardly smaller. */
export const MIN_COMPRESSED_BYTES = 1024;

const AVAILABLE: Coding[] = ['br', 'gzip', 'identity'];
const MAX_ACCEPT_CHARACTERS = 1024;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/**
 * The coding of a body for `Accept-Encoding` (RFC 9110, section 12.5.3). A caller that rules out everything gets the
 * body as it is, which that section allows.
 */
export function chooseCoding(headers: IncomingHttpHeaders): Coding {
  const accepted = headers['accept-encoding'];
  if (typeof accepted !== 'string' || accepted === '' || accepted.length > MAX_ACCEPT_CHARACTERS)
    return 'identity';
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  return (negotiator.encoding(AVAILABLE) as Coding | undefined) ?? 'identity';
}

/** The body in a coding. The levels are the fastest: what they leave costs less to send than to squeeze out. */
export function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  switch (coding) {
    case 'identity':
      return Promise.resolve(body);
    case 'gzip':
      return gzipAsync(body, { level: 1 });
    case 'br':
      return brotliAsync(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      });
    default: {
      const unreachable: never = coding;
      throw new TypeError(`coding ${unreachable}`);
    }
  }
}
