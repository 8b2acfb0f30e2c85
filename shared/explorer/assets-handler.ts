import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { lazy } from '../concurrency/lazy.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type Coding, chooseCoding, MIN_COMPRESSED_BYTES } from '../http/formats/coding.ts';
import type { RouteDeps } from '../http/http-deps.ts';
import { HTTP_LIMITS } from '../http/http-limits.ts';
import { type HttpHandler, NO_BODY, type Reply } from '../http/response/reply.ts';
import { makeRoute } from '../http/server/route.ts';
import type { Asset, Assets } from './assets.ts';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** These files are compressed once and sent many times, so more effort than for answers pays. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 9;

/**
 * Serves the explorer's page and files, which `read` reads for the first request. Whoever may reach the service may
 * see them: they hold nothing but code.
 */
export function makeAssetsHandler(deps: RouteDeps, read: () => Promise<Assets>): HttpHandler {
  const assets = lazy(read);
  const bodies = new Map<string, Promise<Buffer>>();

  function encoded(asset: Asset, coding: Coding): Promise<Buffer> {
    const key = `${coding} ${asset.etag}`;
    const known = bodies.get(key);
    if (known !== undefined) return known;
    const body = compress(asset.body, coding);
    bodies.set(key, body);
    return body;
  }

  return makeRoute(
    deps,
    { methods: ['GET', 'HEAD'], limits: HTTP_LIMITS },
    async ({ req, target }): Promise<Reply> => {
      const asset = (await assets()).get(target.path);
      if (asset === undefined) {
        throw new ServiceError(
          'not_found',
          'There is no such file; the explorer is at the address without a path.',
        );
      }
      const coding = asset.body.length < MIN_COMPRESSED_BYTES ? 'identity' : chooseCoding(req.headers);
      const etag = `"${asset.etag}-${coding}"`;
      const headers = [...asset.headers, 'ETag', etag];
      if (matches(req.headers['if-none-match'], etag)) return { code: 304, headers, body: NO_BODY };
      if (coding !== 'identity') headers.push('Content-Encoding', coding);
      const body = await encoded(asset, coding);
      return { code: 200, headers: [...headers, 'Content-Length', String(body.length)], body };
    },
  );
}

/** Weak comparison, as RFC 9110, section 13.1.2, asks for. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
}

function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  switch (coding) {
    case 'identity':
      return Promise.resolve(body);
    case 'gzip':
      return gzipAsync(body, { level: GZIP_LEVEL });
    case 'br':
      return brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
    default: {
      const unreachable: never = coding;
      throw new TypeError(`coding ${unreachable}`);
    }
  }
}
