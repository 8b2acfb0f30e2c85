import { z } from 'zod';
import type { Resource } from './terraform-test.ts';

/** The resources of one type and name, by index; '' for one without. */
export function instances(
  resources: readonly Resource[],
  type: string,
  name?: string,
): ReadonlyMap<string, Resource['values']> {
  return new Map(
    resources
      .filter((one) => one.type === type && (name === undefined || one.name === name))
      .map((one) => [String(one.index ?? (name === undefined ? one.name : '')), one.values]),
  );
}

const functionValues = z.object({
  name: z.string(),
  build_config: z.tuple([z.object({ entry_point: z.string() })]),
  service_config: z.tuple([
    z.object({
      environment_variables: z.record(z.string(), z.string()),
      secret_environment_variables: z.array(z.object({ key: z.string() })),
    }),
  ]),
});

/** A deployed function: its name, its entry point, its environment with the names of its secrets. */
export interface DeployedFunction {
  readonly name: string;
  readonly entryPoint: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

export function functionsOf(resources: readonly Resource[]): readonly DeployedFunction[] {
  return resources
    .filter(({ type }) => type === 'google_cloudfunctions2_function')
    .map(({ values }) => {
      const { name, build_config, service_config } = functionValues.parse(values);
      return {
        name,
        entryPoint: build_config[0].entry_point,
        environment: service_config[0].environment_variables,
        secrets: service_config[0].secret_environment_variables.map(({ key }) => key),
      };
    });
}
