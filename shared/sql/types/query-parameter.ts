/** The types that a query parameter can be bound with. */
export type ParameterType = 'STRING' | 'INT64' | 'FLOAT64' | 'BOOL' | 'TIMESTAMP';

/** A typed value: TIMESTAMP as microseconds since the epoch and INT64 as bigint; null binds a typed NULL. */
export interface QueryParameter {
  readonly type: ParameterType;
  readonly value: string | bigint | number | boolean | null;
}
