/** A JSON Schema (draft 2020-12), which OpenAPI 3.1 takes as it is. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Any object of an OpenAPI document (https://spec.openapis.org/oas/v3.1.1). */
export interface OpenApiObject {
  readonly [field: string]: unknown;
}

/** The kinds of parts that a document keeps for use in several places. */
export type ComponentKind = 'schemas' | 'responses' | 'parameters' | 'headers';

/** A reference to a part of the document. */
export function refTo(kind: ComponentKind, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** An object of these properties, all of which are there and no others. */
export function closedObject(
  properties: Readonly<Record<string, JsonSchema>>,
  more: JsonSchema = {},
): JsonSchema {
  return {
    type: 'object',
    ...more,
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** The same values and null. `schema` has one type, or several. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  return { ...schema, type: [...(Array.isArray(type) ? type : [type]), 'null'] };
}
