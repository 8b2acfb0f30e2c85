import type { BigQuery } from '@google-cloud/bigquery';
import { lazy } from '../../../concurrency/lazy.ts';
import { ServiceError } from '../../../errors/service-error.ts';
import { errorAnswer } from './answers.ts';
import { ApiFailure } from './api-failure.ts';

/** One request to the REST API. */
export interface ApiCall {
  readonly method: 'GET' | 'POST';
  /** Below the project that runs the queries: `/queries`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Awaited while the answer is read, with how many bytes of it there are by now; what it throws ends the call. */
  readonly onBytes?: OnBytes;
}

/** Receives how many bytes of an answer were read so far; reading waits for it, and what it throws ends the call. */
export type OnBytes = (bytes: number) => Promise<void>;

/** BigQuery's REST API as one project sees it. */
export interface RestApi {
  readonly project: string;
  /** The JSON of the answer. Throws an ApiFailure, or what the signal was aborted with. */
  call(call: ApiCall, signal: AbortSignal): Promise<unknown>;
}

export interface RestApiOptions {
  readonly project: string;
  /** `host:port` or a URL of an emulator, which needs no credentials; null for Google's own service. */
  readonly emulatorHost: string | null;
}

/**
 * The API through Google's client, which is loaded for the first call and knows the credentials and the address. The
 * request itself is made here: the client's own way writes the project's name wherever `{{projectId}}` stands in a
 * query, cannot be aborted, and turns every value of every row into an object.
 */
export function makeRestApi({ project, emulatorHost }: RestApiOptions): RestApi {
  const connected = lazy(async (): Promise<BigQuery> => {
    const { BigQuery } = await import('@google-cloud/bigquery');
    const endpoint = emulatorHost === null ? {} : { apiEndpoint: emulatorAddress(emulatorHost) };
    return new BigQuery({ projectId: project, ...endpoint });
  });

  return {
    project,
    async call({ method, path, query, body, onBytes }, signal) {
      const client = await connected();
      const url = new URL(`${client.apiEndpoint}/bigquery/v2/projects/${encodeURIComponent(project)}${path}`);
      for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
      const headers = new Headers(emulatorHost === null ? await authorization(client, url) : {});
      headers.set('Content-Type', 'application/json');
      const text = body === undefined ? null : JSON.stringify(body);
      const request: RequestInit = { method, headers, body: text, signal, redirect: 'error' };
      const { status, content } = await exchange(url, request, onBytes);
      if (status >= 200 && status < 300) return content;
      throw failureOf(status, content, emulatorHost !== null);
    },
  };
}

/** What the client says when there are no credentials at all; everything else may pass by itself. */
const NO_CREDENTIALS = /default credentials/;

async function authorization(client: BigQuery, url: URL): Promise<Headers> {
  try {
    return await client.authClient.getRequestHeaders(url.href);
  } catch (error) {
    const isPermanent = error instanceof Error && NO_CREDENTIALS.test(error.message);
    const message = 'The credentials for BigQuery cannot be had';
    throw new ApiFailure(isPermanent ? 401 : null, ['credentials'], message, { cause: error });
  }
}

async function exchange(
  url: URL,
  request: RequestInit,
  onBytes: OnBytes | undefined,
): Promise<{ status: number; content: unknown }> {
  let text: string;
  let status: number;
  try {
    const response = await fetch(url, request);
    status = response.status;
    text = onBytes === undefined ? await response.text() : await readText(response, onBytes);
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason;
    if (error instanceof ServiceError) throw error;
    throw new ApiFailure(null, [], 'BigQuery did not answer, or not to the end', { cause: error });
  }
  try {
    return { status, content: JSON.parse(text) };
  } catch (error) {
    if (status >= 300) return { status, content: null };
    throw new ApiFailure(null, [], 'BigQuery answered something that is not JSON', { cause: error });
  }
}

/** The text of an answer, of which no more is read than there is room for. */
async function readText(response: Response, onBytes: OnBytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    await onBytes(bytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString('utf8');
}

function failureOf(status: number, content: unknown, isEmulator: boolean): ApiFailure {
  const { success, data } = errorAnswer.safeParse(content);
  if (!success) return new ApiFailure(status, [], `BigQuery answered ${status}`);
  const { message, errors } = data.error;
  const reasons = errors.map(({ reason }) =>
    // The emulator has this one reason for whatever is wrong with a query.
    isEmulator && status === 400 && reason === 'jobInternalError' ? 'invalidQuery' : reason,
  );
  return new ApiFailure(status, reasons, message);
}

function emulatorAddress(host: string): string {
  return /^https?:\/\//i.test(host) ? host : `http://${host}`;
}
