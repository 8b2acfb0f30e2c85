/** The request parameters that speak to the service itself, whatever the endpoint. */
export const RESERVED_NAMES = [
  'sql',
  'lql',
  'explain',
  'meta',
  'format',
  'timestamps',
  'cursor',
  'histogram',
  'histogram_by',
  'facet',
] as const;

/** A request parameter that no endpoint may declare. */
export type ReservedName = (typeof RESERVED_NAMES)[number];

/** The same to look names up in, in lower case: no endpoint may declare them, and no query may have their values. */
export const RESERVED_PARAMETERS: ReadonlySet<string> = new Set(RESERVED_NAMES);
