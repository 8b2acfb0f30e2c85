import { ConfigurationError } from '../../shared/errors/configuration-error.ts';

const IMPORT = /^import \{ \w+ \} from '(\.\/[^']+)';$/;
const REGISTRATION = /^http\('([^']+)', asFrameworkFunction\(fromEnvironment\(\w+\)\)\);$/;

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
      'functions/index.ts: it does not register functions line by line any more; write the endpoint by hand (docs/own-endpoints.md)',
    );
  }
  const after = imports.find(({ path }) => path > module);
  const registration = `http('${functionName}', asFrameworkFunction(fromEnvironment(${factory})));`;
  lines.splice(registered, 0, registration);
  lines.splice(after?.index ?? lastImport.index + 1, 0, `import { ${factory} } from '${module}';`);
  return lines.join('\n');
}
