import { ConfigurationError } from '../../shared/errors/configuration-error.ts';

const IMPORT = /^import \{ \w+(?:, \w+)* \} from '(\.\/[^']+)';$/;
/** An entry of the table of functions: `'logs-all': fromEnvironment(makeLogsAll),`. */
const REGISTRATION = /^ {2}'?([a-z0-9-]+)'?: fromEnvironment\(\w+\),$/;

/**
 * The text of functions/index.ts with one function more: its import in the order of the modules, its registration before
 * that of the first function that is no endpoint's. Throws a ConfigurationError where the text has another form.
 */
export function withFunction(text: string, functionName: string, factory: string): string {
  const lines = text.split('\n');
  const module = `./${functionName}.ts`;
  const imports = lines.flatMap((line, index) => {
    const [, path] = IMPORT.exec(line) ?? [];
    return path === undefined ? [] : [{ path, index }];
  });
  const lastImport = imports.at(-1);
  const registered = lines.findIndex((line) => REGISTRATION.exec(line)?.[1] === 'warm');
  if (lastImport === undefined || registered === -1) {
    throw new ConfigurationError(
      'functions/index.ts: it no longer names each function on one line; add the endpoint by hand (docs/own-endpoints.md)',
    );
  }
  const after = imports.find(({ path }) => path > module);
  const key = functionName.includes('-') ? `'${functionName}'` : functionName;
  const registration = `  ${key}: fromEnvironment(${factory}),`;
  lines.splice(registered, 0, registration);
  lines.splice(after?.index ?? lastImport.index + 1, 0, `import { ${factory} } from '${module}';`);
  return lines.join('\n');
}
