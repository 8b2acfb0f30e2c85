import type { Plugin } from 'esbuild';
import type { BuiltDefinitions } from '../shared/runtime/definitions.ts';

/** The module that holds what the function serves. */
export const DEFINITIONS = 'definitions-of-the-function';

/** Makes that module. Text in JSON is read faster than an expression of the same value. */
export function withDefinitions(built: BuiltDefinitions): Plugin {
  const text = JSON.stringify(JSON.stringify(built));
  return {
    name: 'with-definitions',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${DEFINITIONS}$`) }, ({ path }) => ({ path, namespace: DEFINITIONS }));
      onLoad({ filter: /.*/, namespace: DEFINITIONS }, () => ({
        contents: `export const definitions = JSON.parse(${text});`,
      }));
    },
  };
}

/** Puts a clear refusal where the embedded engine would be loaded. */
export const withoutEmbeddedEngine: Plugin = {
  name: 'without-embedded-engine',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]shared[\\/]runtime[\\/]open-duckdb\.ts$/ }, () => ({
      contents: `import { ConfigurationError } from '../errors/configuration-error.ts';
        export function openDuckDb() {
          throw new ConfigurationError('LQE_WAREHOUSE must be bigquery: this build has no embedded engine');
        }`,
      loader: 'ts',
    }));
  },
};

/**
 * Gives the Google clients' names to those who import them on first use. They are CommonJS, of which a piece that is
 * loaded later exports its default alone.
 */
export const withNamedExports: Plugin = {
  name: 'with-named-exports',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^(@google-cloud\/(bigquery|firestore|scheduler)|google-auth-library)$/ },
      ({ path, kind, namespace, resolveDir }) =>
        kind === 'dynamic-import' && namespace === 'file'
          ? { path, namespace: NAMED, pluginData: resolveDir }
          : undefined,
    );
    onLoad({ filter: /.*/, namespace: NAMED }, async ({ path, pluginData }) => {
      const names = Object.keys((await import(path)) as object).filter((name) => IDENTIFIER.test(name));
      const exports = names.map((name) => `export const ${name} = client.${name};`);
      const lines = [`const client = require('${path}');`, 'export default client;', ...exports];
      return { contents: lines.join('\n'), resolveDir: String(pluginData) };
    });
  },
};

const NAMED = 'named-exports';
const IDENTIFIER = /^(?!default$)[A-Za-z_$][\w$]*$/;
