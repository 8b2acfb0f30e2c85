import type { Endpoint } from '../endpoints/endpoint.ts';

/** Most bytes that one query may bill. */
export interface ByteCaps {
  /** Of a query in sql or lql. */
  readonly consumerMaxBytesBilled: number;
  /** Of an endpoint's stored query. */
  readonly storedMaxBytesBilled: number;
}

/** Those who may set a cap, each for itself; null where one has none. */
export interface CapSources {
  readonly service: ByteCaps;
  readonly endpoint: Pick<Endpoint, keyof ByteCaps>;
  readonly token: number | null;
}

/** The most bytes that a query may bill: the lowest cap of service, endpoint and token, whoever set it. */
export function byteCapOf({ service, endpoint, token }: CapSources, isUntrusted: boolean): number {
  const kind = isUntrusted ? 'consumerMaxBytesBilled' : 'storedMaxBytesBilled';
  return Math.min(service[kind], endpoint[kind] ?? Infinity, token ?? Infinity);
}
