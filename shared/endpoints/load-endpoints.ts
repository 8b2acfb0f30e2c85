import { basename, extname, join } from 'node:path';
import * as z from 'zod';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import {
  checkSettings,
  listFiles,
  readJsonFile,
  readTextFile,
  type SettingWords,
} from '../schema/read-settings-file.ts';
import { namedParameters } from '../sql/lexer/named-parameters.ts';
import type { Endpoint, EndpointRegistry, ParameterSpec } from './endpoint.ts';
import { makeRegistry } from './endpoint-registry.ts';
import {
  acceptedSetting,
  ENDPOINT_SETTINGS,
  type EndpointSettings,
  endpointSettings,
  settingNames,
} from './endpoint-settings.ts';
import { parameterSettings } from './parameter-settings.ts';
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
  const content = await readJsonFile(settingsFile);
  const sql = await readTextFile(queryFile);
  const checked = checkSettings(endpointSettings, content, SETTING_WORDS);
  const known = knownParts(content);
  const faults = [
    ...[
      ...('faults' in checked ? checked.faults : []),
      ...(known.name === undefined || known.name === name
        ? []
        : [`name: is '${known.name}' but the file says '${name}'`]),
      ...(await exampleFaults(known.parameters)),
    ].map((fault) => `${settingsFile}: ${fault}`),
    ...parameterFaults(name, known.names, sql).map((fault) => `${queryFile}: ${fault}`),
  ];
  if ('faults' in checked || faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return { ...checked.settings, projectParameter: projectParameterOf(checked.settings), sql };
}

/** What was the project by its name alone, before settings could say so, still is. */
function projectParameterOf({ projectParameter, parameters }: EndpointSettings): string | null {
  if (projectParameter !== undefined) return projectParameter;
  return parameters.some(({ name }) => name === 'project') ? 'project' : null;
}

const SETTING_WORDS: SettingWords = { accepted: acceptedSetting, names: settingNames };

const endpointName = z.object({ name: ENDPOINT_SETTINGS.name.schema });
const parameterNames = z.object({ parameters: z.array(z.object({ name: z.string() })) });
const parameterList = z.object({ parameters: z.array(z.unknown()) });

/** What can be checked further in settings, be they wrong elsewhere. */
function knownParts(content: unknown): {
  readonly name: string | undefined;
  readonly parameters: readonly ParameterSpec[];
  /** The parameters' names; null where not all can be known. */
  readonly names: readonly string[] | null;
} {
  const { data: named } = endpointName.safeParse(content);
  const { data: names } = parameterNames.safeParse(content);
  const { data: list } = parameterList.safeParse(content);
  return {
    name: named?.name,
    parameters: (list?.parameters ?? []).flatMap((one) => parameterSettings.safeParse(one).data ?? []),
    names: names?.parameters.map((spec) => spec.name) ?? null,
  };
}

/** Examples and allowed values that the parameter itself would refuse. */
async function exampleFaults(parameters: readonly ParameterSpec[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const spec of parameters) {
    for (const value of new Set([spec.example, ...(spec.allowed ?? [])])) {
      const parsed = await parseParameter(spec, value);
      const kind = value === spec.example ? 'example' : 'allowed value';
      if ('problem' in parsed)
        faults.push(`parameters: ${spec.name}: the ${kind} is not valid: ${parsed.problem}`);
    }
  }
  return faults;
}

/** Parameters that only the settings or only the query know; `declared` is null where the settings do not say. */
function parameterFaults(name: string, declared: readonly string[] | null, sql: string): readonly string[] {
  try {
    const used = namedParameters(sql);
    if (declared === null) return [];
    return [
      ...used
        .filter((one) => !declared.includes(one))
        .map((one) => `@${one} is used but not declared in ${name}.json`),
      ...declared
        .filter((one) => !used.includes(one))
        .map((one) => `parameter '${one}' is declared in ${name}.json but @${one} is not used`),
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
