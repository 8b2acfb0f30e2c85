import type { SubscriptMode } from '../ast/expression.ts';

/** The words that say how a subscript counts, as in `[OFFSET(0)]`. */
export const SUBSCRIPT_MODES: Readonly<Record<string, SubscriptMode>> = {
  OFFSET: 'offset',
  SAFE_OFFSET: 'safe_offset',
  ORDINAL: 'ordinal',
  SAFE_ORDINAL: 'safe_ordinal',
  KEY: 'key',
  SAFE_KEY: 'safe_key',
};
