/** Functions of BigQuery that no query may call: their names, and why, with what to write instead where there is something. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [
    /^RAND$/,
    'answers are cached and paged, so a query must give the same rows each time; for a sample, compare MOD(FARM_FINGERPRINT(id), 100) with a number',
  ],
  [
    /^GENERATE_UUID$/,
    'answers are cached and paged, so a query must give the same rows each time; TO_HEX(MD5(…)) of columns gives an identifier',
  ],
  [/^SESSION_USER$/, 'callers have access tokens and are no users of BigQuery'],
  [
    /^(AEAD\.|KEYS\.|DETERMINISTIC_)/,
    'queries have no access to keys; SHA256 and its siblings compute digests',
  ],
  [/^DLP_/, 'queries have no access to keys; the header LF-ENDPOINT-REDACT-PII redacts an answer'],
  [/^(ST|S2)_/, 'there is no type GEOGRAPHY'],
  [
    /^(RANGE|RANGE_(CONTAINS|END|INTERSECT|OVERLAPS|SESSIONIZE|START)|GENERATE_RANGE_ARRAY)$/,
    'there is no type RANGE; compare the bounds with <= and <',
  ],
  [/^KLL_QUANTILES\./, 'there are no sketches of quantiles; APPROX_QUANTILES computes them'],
  [/^(ML|AI|OBJ)\.|^(BAG_OF_WORDS|TF_IDF|VECTOR_SEARCH)$/, 'queries use no models and no indexes'],
  [/^AGG$/, 'there are no measures'],
  [
    /^((DESTINATION|SOURCE)_NODE_ID|EDGES|ELEMENT_ID|LABELS|NODES|PATH_(FIRST|LAST|LENGTH)|PROPERTY_NAMES)$/,
    'there are no graphs',
  ],
  [
    /^(APPENDS|CHANGES|EXTERNAL_QUERY|EXTERNAL_OBJECT_TRANSFORM|GAP_FILL)$/,
    'table functions are not allowed; a query reads the log tables alone',
  ],
];

/** Why a function of BigQuery with this name (upper case, with its namespace) is in no catalogue; null where it is no such function. */
export function refusalOf(name: string): string | null {
  return REFUSED.find(([names]) => names.test(name))?.[1] ?? null;
}
