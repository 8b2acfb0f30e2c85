import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AssetSource } from './asset-files.ts';
import { renderPage } from './page.ts';

/** One thing that is served as it is. */
export interface Asset {
  readonly body: Buffer;
  /** The headers that belong to it, names and values in turn. */
  readonly headers: readonly string[];
  /** A strong entity tag (RFC 9110, section 8.8.3). */
  readonly etag: string;
}

/** Everything of the explorer by path: `/` and what its page loads. Nothing else can be asked for. */
export type Assets = ReadonlyMap<string, Asset>;

/** The address of the files that the page loads; the version follows it, so that browsers can keep them for ever. */
export const ASSETS_ROUTE = '/assets';

const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_EVERY_TIME = 'no-cache';

const ON_EVERY_ASSET = [
  'X-Content-Type-Options',
  'nosniff',
  'Cross-Origin-Resource-Policy',
  'same-origin',
  'Vary',
  'Accept-Encoding',
] as const;

/** Reads the explorer's files. Throws what the file system throws. */
export async function readAssets(source: AssetSource): Promise<Assets> {
  const files = await source.list();
  const bodies = await Promise.all(files.map(({ file }) => readFile(file)));
  const template = await readFile(source.template, 'utf8');
  const version = hash(files.map(({ path }, index) => `${path} ${hash(bodies[index] ?? '')}`).join('\n'));
  const page = renderPage(template, {
    base: `.${ASSETS_ROUTE}/${version}/`,
    paths: files.map(({ path }) => path),
  });
  const assets = new Map<string, Asset>([['/', asset(Buffer.from(page.html), ASK_EVERY_TIME, page.headers)]]);
  files.forEach(({ path, type }, index) => {
    const body = bodies[index] ?? Buffer.alloc(0);
    assets.set(`${ASSETS_ROUTE}/${version}/${path}`, asset(body, FOR_EVER, ['Content-Type', type]));
  });
  return assets;
}

function asset(body: Buffer, cacheControl: string, headers: readonly string[]): Asset {
  return {
    body,
    headers: [...headers, 'Cache-Control', cacheControl, ...ON_EVERY_ASSET],
    etag: hash(body),
  };
}

function hash(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
