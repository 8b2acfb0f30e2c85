import { createHash } from 'node:crypto';
import { packagePaths } from './asset-files.ts';

/** The page and the headers that keep it in. */
export interface Page {
  readonly html: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** Where the page's template wants its modules. */
const MODULES = '<!-- modules -->';

/**
 * Fills in the page's template: `{{assets}}` is where its files are; at the comment `modules` stand the import map,
 * which says where the packages are, and the names of all modules, so that they are fetched at once and not one
 * import after the other.
 */
export function renderPage(
  template: string,
  { base, paths }: { readonly base: string; readonly paths: readonly string[] },
): Page {
  const imports = Object.fromEntries([...packagePaths()].map(([name, path]) => [name, base + path]));
  const importMap = JSON.stringify({ imports });
  const modules = [
    `<script type="importmap">${importMap}</script>`,
    ...paths
      .filter((path) => path.endsWith('.js'))
      .map((path) => `<link rel="modulepreload" href="${base}${path}">`),
  ];
  const html = template.replaceAll('{{assets}}', base).replace(MODULES, modules.join('\n    '));
  const headers = [
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Security-Policy',
    contentSecurityPolicy(importMap),
    'Referrer-Policy',
    'no-referrer',
    'X-Frame-Options',
    'DENY',
    'Cross-Origin-Opener-Policy',
    'same-origin',
  ];
  return { html, headers };
}

/**
 * Nothing but our own files, and requests to this service alone. The import map has to stand in the page (HTML
 * standard, section 8.1.5.2), so its digest lets it in; the editor's styles are adopted in a shadow root, which
 * `style-src` does not ask about.
 */
function contentSecurityPolicy(importMap: string): string {
  const digest = createHash('sha256').update(importMap).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${digest}'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
