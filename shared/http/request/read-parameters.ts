import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../errors/service-error.ts';
import type { HttpLimits } from '../http-limits.ts';
import type { Exchange } from '../server/route.ts';
import { parseJsonParameters } from './json-parameters.ts';
import { announcesBody } from './raw-header.ts';
import { readBody } from './read-body.ts';
import { mergeParameters, type RequestParameters } from './request-parameters.ts';
import { parseUrlParameters } from './url-parameters.ts';

/** A request's parameters: those of the URL and, with POST, those of a JSON object in the body as well. */
export async function readParameters(exchange: Exchange, limits: HttpLimits): Promise<RequestParameters> {
  const inUrl = parseUrlParameters(exchange.target.query);
  if (exchange.method !== 'POST') return inUrl;
  return mergeParameters(inUrl, await readBodyParameters(exchange.req, limits));
}

/** The parameters in the JSON object of a body; none where there is no body. */
export async function readBodyParameters(
  req: IncomingMessage,
  limits: HttpLimits,
): Promise<RequestParameters> {
  if (announcesBody(req)) checkContentType(req.headers['content-type']);
  const body = await readBody(req, limits);
  return body.length === 0 ? new Map() : parseJsonParameters(decodeUtf8(body));
}

const JSON_TYPE = /^\s*application\/json\s*(?:$|;)/i;
const OTHER_CHARSET = /;\s*charset=(?!"?utf-8"?\s*(?:$|;))/i;

/** JSON is UTF-8 (RFC 8259, section 8.1); a body without a type is taken for JSON. */
function checkContentType(contentType: string | undefined): void {
  if (contentType === undefined || contentType.trim() === '') return;
  if (JSON_TYPE.test(contentType) && !OTHER_CHARSET.test(contentType)) return;
  throw new ServiceError(
    'unsupported_media_type',
    'The body must be a JSON object in UTF-8; send it with the header Content-Type: application/json.',
  );
}

function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new ServiceError('invalid_argument', 'The body is not valid UTF-8.');
  }
}
