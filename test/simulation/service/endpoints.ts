import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';

/** An address that redaction hides. */
export const SECRET = '203.0.113.77';

const PLAIN: Endpoint = {
  id: '11111111-1111-4111-8111-111111111111',
  name: 'plain',
  description: '',
  maxRows: 100,
  cacheTtlSeconds: 60,
  warmEverySeconds: null,
  sandbox: false,
  redactPii: false,
  redactAlso: [],
  redactPaths: [],
  consumerMaxBytesBilled: 1,
  storedMaxBytesBilled: null,
  projectParameter: 'project',
  timeWindow: null,
  lookback: null,
  sealedBuckets: null,
  parameters: [
    {
      name: 'project',
      type: 'STRING',
      required: true,
      allowed: null,
      format: null,
      maxLength: 100,
      description: '',
      example: 'a',
    },
  ],
  sql: 'SELECT plain',
};

/** Two endpoints with the same parameters, one of which redacts its answers whoever asks. */
export function makeEndpoints(
  settings: Pick<Endpoint, 'cacheTtlSeconds' | 'warmEverySeconds'>,
): readonly [Endpoint, Endpoint] {
  return [
    { ...PLAIN, ...settings },
    {
      ...PLAIN,
      ...settings,
      id: '22222222-2222-4222-8222-222222222222',
      name: 'redacted',
      redactPii: true,
      sql: 'SELECT redacted',
    },
  ];
}
