import { open } from 'node:fs/promises';
import type { Environment } from '../../shared/runtime/config.ts';
import { printable } from '../../shared/runtime/printable.ts';
import type { Arguments } from '../arguments/parse-arguments.ts';
import { UsageError } from '../arguments/usage-error.ts';

/** A running service, and what opens it. */
export interface ServiceAddress {
  readonly baseUrl: URL;
  readonly token: string;
}

const DEFAULT_URL = 'http://localhost:8080';
const MAX_TOKEN_FILE_BYTES = 4096;
/** What can travel in an HTTP header. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

/** The service that options and environment name; options win. Throws a UsageError. */
export async function serviceAddress(given: Arguments, env: Environment): Promise<ServiceAddress> {
  const baseUrl = parseUrl(given.text('--url') ?? (env.LQE_URL || DEFAULT_URL));
  return { baseUrl, token: await readToken(given.text('--token-file'), env) };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(
      `--url (or LQE_URL) was given ${printable(text)}; it takes a URL such as https://logs.example.com.`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('--url (or LQE_URL) takes a URL without user, password, query and fragment.');
  }
  return url;
}

async function readToken(file: string | undefined, env: Environment): Promise<string> {
  const text = file === undefined ? env.LQE_TOKEN : await readStart(file);
  if (text === undefined || text === '') {
    throw new UsageError(
      file === undefined
        ? 'An access token is needed: set LQE_TOKEN, or name a file that holds it with --token-file.'
        : `The file ${printable(file)} of --token-file is empty; put the access token into it.`,
    );
  }
  // What was given is not repeated: it is a secret.
  if (TOKEN.test(text)) return text;
  const where = file === undefined ? 'LQE_TOKEN' : `the file ${printable(file)}`;
  throw new UsageError(
    `What ${where} holds is not an access token; use one line of printable ASCII without spaces.`,
  );
}

/** The beginning of a file, which is all of it where it holds a token. */
async function readStart(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_TOKEN_FILE_BYTES), 0);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'it does not exist' : (code ?? 'unknown reason');
    throw new UsageError(`The file ${printable(path)} of --token-file cannot be read (${reason}).`);
  }
}
