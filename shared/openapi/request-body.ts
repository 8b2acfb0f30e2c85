import type { DescribedEndpoint } from './described-endpoint.ts';
import type { JsonSchema, OpenApiObject } from './json-schema.ts';
import { bodySchema, isLimited } from './parameter-schemas.ts';
import type { RecordedAnswer } from './recorded-answers.ts';
import { reservedParameters } from './reserved-schemas.ts';

/** A cursor that is empty counts as absent. */
const GOES_ON = { required: ['cursor'], properties: { cursor: { type: 'string', minLength: 1 } } };

/** The JSON object of a POST to an endpoint: its parameters, or a cursor in place of those that are required. */
export function requestBody(described: DescribedEndpoint, answers: readonly RecordedAnswer[]): OpenApiObject {
  const { endpoint } = described;
  const required = endpoint.parameters.filter((spec) => spec.required).map(({ name }) => name);
  const schema: JsonSchema = {
    type: 'object',
    properties: { ...declaredProperties(described), ...reservedProperties(described) },
    ...(required.length === 0 ? {} : { anyOf: [{ required }, GOES_ON] }),
    additionalProperties: {
      type: ['string', 'number', 'boolean', 'null'],
      description: 'Values for the parameters of the ad-hoc query; others are ignored',
    },
  };
  const examples = answers.flatMap(({ name, summary, request, answer }) =>
    answer.code === 200 && request.body !== null ? [[name, { summary, value: request.body }]] : [],
  );
  return {
    description: 'Parameters may be in the URL as well, each in one of the two places.',
    required: true,
    content: {
      'application/json': {
        schema,
        ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
      },
    },
  };
}

function declaredProperties({ endpoint, projects }: DescribedEndpoint): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    endpoint.parameters.map((spec) => {
      const schema = isLimited(spec, endpoint, projects)
        ? { type: 'string', enum: projects }
        : bodySchema(spec);
      return [spec.name, { description: spec.description, ...schema }];
    }),
  );
}

function reservedProperties({ endpoint }: DescribedEndpoint): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    reservedParameters(endpoint).map(([name, { description, inBody }]) => [name, { description, ...inBody }]),
  );
}
