import { basename, extname, join } from 'node:path';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import { listFiles, readSettingsFile, readTextFile } from '../schema/read-settings-file.ts';
import { namedParameters } from '../sql/lexer/named-parameters.ts';
import type { Endpoint, EndpointRegistry } from './endpoint.ts';
import { makeRegistry } from './endpoint-registry.ts';
import { endpointSettings } from './endpoint-settings.ts';
import { parseParameter } from './parse-parameter.ts';

/**
 * Reads every `<name>.json` with its `<name>.sql` in a folder; subfolders and other files are left alone.
 * Throws a ConfigurationError with a line for each fault, which names the file.
 */
export async function loadEndpoints(directory: string): Promise<EndpointRegistry> {
  const files = (await listFiles(directory)).filter((file) => ['.json', '.sql'].includes(extname(file)));
  const names = new Set(files.map((file) => basename(file, extname(file))));
  if (names.size === 0) {
    throw new ConfigurationError(`${directory}: no endpoint (<name>.json with <name>.sql) in this folder`);
  }
  const endpoints: Endpoint[] = [];
  const faults: string[] = [];
  for (const name of names) {
    try {
      endpoints.push(await loadEndpoint(directory, name, files));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      faults.push(error.message);
    }
  }
  faults.push(...duplicateIds(directory, endpoints));
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return makeRegistry(endpoints);
}

async function loadEndpoint(directory: string, name: string, files: readonly string[]): Promise<Endpoint> {
  const settingsFile = join(directory, `${name}.json`);
  const queryFile = join(directory, `${name}.sql`);
  if (!files.includes(`${name}.sql`))
    throw new ConfigurationError(`${settingsFile}: ${name}.sql is missing beside it`);
  if (!files.includes(`${name}.json`))
    throw new ConfigurationError(`${queryFile}: ${name}.json is missing beside it`);
  const settings = await readSettingsFile(settingsFile, endpointSettings);
  const endpoint: Endpoint = { ...settings, sql: await readTextFile(queryFile) };
  const faults = [
    ...(endpoint.name === name
      ? []
      : [`${settingsFile}: name: is '${endpoint.name}' but the file says '${name}'`]),
    ...(await exampleFaults(endpoint)).map((fault) => `${settingsFile}: ${fault}`),
    ...parameterFaults(endpoint).map((fault) => `${queryFile}: ${fault}`),
  ];
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return endpoint;
}

/** Examples and allowed values that the parameter itself would refuse. */
async function exampleFaults(endpoint: Endpoint): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const spec of endpoint.parameters) {
    for (const value of new Set([spec.example, ...(spec.allowed ?? [])])) {
      const parsed = await parseParameter(spec, value);
      const kind = value === spec.example ? 'example' : 'allowed value';
      if ('problem' in parsed)
        faults.push(`parameters: ${spec.name}: the ${kind} is not valid: ${parsed.problem}`);
    }
  }
  return faults;
}

/** Parameters that only the settings or only the query know. */
function parameterFaults(endpoint: Endpoint): readonly string[] {
  const declared = endpoint.parameters.map((spec) => spec.name);
  try {
    const used = namedParameters(endpoint.sql);
    return [
      ...used
        .filter((name) => !declared.includes(name))
        .map((name) => `@${name} is used but not declared in ${endpoint.name}.json`),
      ...declared
        .filter((name) => !used.includes(name))
        .map((name) => `parameter '${name}' is declared in ${endpoint.name}.json but @${name} is not used`),
    ];
  } catch (error) {
    if (error instanceof ServiceError) return [error.message];
    throw error;
  }
}

function duplicateIds(directory: string, endpoints: readonly Endpoint[]): readonly string[] {
  return endpoints.flatMap((endpoint, index) => {
    const first = endpoints.findIndex((other) => other.id === endpoint.id);
    if (first === index) return [];
    return [
      `${join(directory, `${endpoint.name}.json`)}: id: ${endpoint.id} is already the id of ${endpoints[first]?.name}`,
    ];
  });
}
