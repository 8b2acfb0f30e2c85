import type { IncomingMessage } from 'node:http';
import type { SignInCodes } from '../access/sign-in-code.ts';
import { invalidParameter, ServiceError } from '../errors/service-error.ts';
import type { RouteDeps } from '../http/http-deps.ts';
import { HTTP_LIMITS, type HttpLimits } from '../http/http-limits.ts';
import { isLoopbackHost } from '../http/request/loopback.ts';
import { readBodyParameters } from '../http/request/read-parameters.ts';
import { type HttpHandler, NO_STORE, type Reply } from '../http/response/reply.ts';
import { makeRoute } from '../http/server/route.ts';

/** Where the page exchanges the code of its link for the token. Only a local start has it. */
export const SIGN_IN_ROUTE = '/explorer/sign-in';

const MAX_BODY_BYTES = 1024;
const LIMITS: HttpLimits = {
  ...HTTP_LIMITS,
  maxBodyBytes: MAX_BODY_BYTES,
  maxDiscardedBytes: MAX_BODY_BYTES,
};

const PASTE = 'paste the access token that the start printed';

/** What signing in needs: the codes that are given out, and the token that one of them stands for. */
export interface SignIn {
  readonly codes: Pick<SignInCodes, 'redeem'>;
  readonly token: string;
}

/**
 * Answers `POST {"code":"…"}` with `{"token":"…"}`, once for each code. Only the page itself is answered: a request
 * must come from the origin that it goes to, and that must be a name of this machine, so that no other site can ask,
 * not even one whose name was made to point here.
 */
export function makeSignInHandler(deps: RouteDeps, { codes, token }: SignIn): HttpHandler {
  return makeRoute(deps, { methods: ['POST'], limits: LIMITS }, async ({ req }): Promise<Reply> => {
    checkOrigin(req);
    const code = await readCode(req);
    if (!codes.redeem(code)) {
      throw new ServiceError(
        'unauthenticated',
        `This link no longer signs in: it works once, within a minute of the start; ${PASTE}.`,
      );
    }
    const body = Buffer.from(JSON.stringify({ token }));
    return { code: 200, headers: [...HEADERS, 'Content-Length', String(body.length)], body };
  });
}

/** Unlike other answers this one is for no other origin to read. */
const HEADERS = [
  'Content-Type',
  'application/json; charset=utf-8',
  'Cache-Control',
  NO_STORE,
  'X-Content-Type-Options',
  'nosniff',
  'Cross-Origin-Resource-Policy',
  'same-origin',
  'Referrer-Policy',
  'no-referrer',
] as const;

function checkOrigin({ headers }: IncomingMessage): void {
  const { host = '', origin } = headers;
  const site = headers['sec-fetch-site'];
  const isSame = origin === `http://${host}` && (site === undefined || site === 'same-origin');
  if (isSame && isLoopbackHost(host.replace(/:\d*$/, ''))) return;
  throw new ServiceError(
    'permission_denied',
    `A link signs in only on the page of this machine, at the address of the link; elsewhere ${PASTE}.`,
  );
}

async function readCode(req: IncomingMessage): Promise<string> {
  // A browser sends a body without a type to any site without asking.
  if ((req.headers['content-type'] ?? '').trim() === '') {
    throw new ServiceError('unsupported_media_type', 'Send the header Content-Type: application/json.');
  }
  const body = await readBodyParameters(req, LIMITS);
  const [code] = body.get('code') ?? [];
  if (code === undefined || code === '') {
    throw invalidParameter('code', `The body needs the code of the link, such as {"code":"…"}.`);
  }
  const other = [...body.keys()].find((name) => name !== 'code');
  if (other !== undefined) throw invalidParameter(other, `The body has 'code' alone; leave '${other}' out.`);
  return code;
}
