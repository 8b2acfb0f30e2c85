/** A set of an endpoint's parameters that somebody asked for: the inputs of its result. */
export interface ParameterSet {
  /** The endpoint's UUID. */
  readonly endpointId: string;
  /** The declared parameters that were given, as text by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the caller asked for redaction. */
  readonly isRedacted: boolean;
}

/** The sets of an endpoint that wait to be warmed. */
export interface WaitingSets {
  /** The first of the line. */
  readonly sets: readonly ParameterSet[];
  /** How many there are, those of `sets` included. */
  readonly total: number;
}

/** The demand log: the sets that callers ask for, in the order in which they wait to be warmed. */
export interface DemandLog {
  /**
   * Notes that a set was asked for with a token, whose sets are limited in number. Resolves when it is noted, or after
   * RECORD_WAIT_MS while the writing goes on; never rejects.
   */
  record(set: ParameterSet, owner: string): Promise<void>;
  /**
   * The sets of an endpoint that were asked for in the last `windowSeconds`, at most `max` of them. The first is the one
   * that was warmed longest ago, or that has waited longest since it was noted. Throws a ServiceError (unavailable).
   */
  waiting(endpointId: string, windowSeconds: number, max: number): Promise<WaitingSets>;
  /** Puts a set at the end of the line. Never rejects. */
  served(set: ParameterSet): Promise<void>;
}

/**
 * Where a token has as many sets as it may, the one that was asked for longest ago makes room for a new one once no caller has
 * asked for it for so long. Until then the new one is not noted: a caller that walks through thousands of sets drives out
 * none that are in use, and costs few writes.
 */
export const IDLE_MS = 5 * 60_000;

/** The same text for the same set, whatever the order of its parameters. */
export function setKey({ endpointId, parameters, isRedacted }: ParameterSet): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([endpointId, sorted, isRedacted]);
}
