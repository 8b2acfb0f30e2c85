import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ServiceError } from '../../errors/service-error.ts';
import { readSentBody } from '../request/read-body.ts';
import type { IngestLimits } from './ingest-limits.ts';

/** JSON, or JSON in lines under the names that log shippers give it. */
const TYPE = /^\s*application\/(?:json|x-ndjson|ndjson|x-jsonlines|jsonlines|jsonl)\s*(?:$|;)/i;
const PROTOBUF = /^\s*application\/(?:x-)?protobuf\b/i;
const OTHER_CHARSET = /;\s*charset=(?!"?utf-8"?\s*(?:$|;))/i;

/**
 * The text of a body of entries, sent as it is or compressed with gzip. Throws a ServiceError: unsupported_media_type for
 * another type or coding, body_too_large above the limits, before as well as after decompression, and invalid_argument for
 * damaged gzip data, text that is not UTF-8, and what `readSentBody` says.
 */
export async function readEntryBody(req: IncomingMessage, limits: IngestLimits): Promise<string> {
  checkType(req.headers['content-type']);
  const isCompressed = isGzip(req.headers['content-encoding']);
  const sent = await readSentBody(req, limits);
  return decodeUtf8(isCompressed ? await decompress(sent, limits) : sent);
}

function checkType(type: string | undefined): void {
  if (type === undefined || type.trim() === '') return;
  if (TYPE.test(type) && !OTHER_CHARSET.test(type)) return;
  if (PROTOBUF.test(type)) {
    throw new ServiceError(
      'unsupported_media_type',
      'The body must be JSON; set the exporter of OTLP to JSON (encoding: json in the OpenTelemetry Collector).',
    );
  }
  throw new ServiceError(
    'unsupported_media_type',
    'The body must be JSON in UTF-8; send it with the header Content-Type: application/json, or application/x-ndjson for one object a line.',
  );
}

function isGzip(coding: string | undefined): boolean {
  const name = coding?.trim().toLowerCase() ?? '';
  if (name === 'gzip' || name === 'x-gzip') return true;
  if (name === '' || name === 'identity') return false;
  throw new ServiceError('unsupported_media_type', 'Send the body uncompressed or compressed with gzip.', {
    headers: { 'Accept-Encoding': 'gzip, identity' },
  });
}

const gunzipAsync = promisify(gunzip);

async function decompress(body: Buffer, { maxDecodedBytes }: IngestLimits): Promise<Buffer> {
  try {
    return await gunzipAsync(body, { maxOutputLength: maxDecodedBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new ServiceError(
        'body_too_large',
        `The body is larger than ${maxDecodedBytes} bytes when it is decompressed; send fewer entries at once.`,
      );
    }
    throw new ServiceError('invalid_argument', 'The body is not valid gzip data, or is cut short.', {
      cause,
    });
  }
}

function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new ServiceError('invalid_argument', 'The body is not valid UTF-8. No entry was taken.');
  }
}
