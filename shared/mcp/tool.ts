/** JSON Schema of a tool's arguments: an object with named properties. */
export interface ArgumentsSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** The arguments of a call, of any form until the tool has read them. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Something that an agent can call. */
export interface Tool {
  /** Letters, digits and underscores: all that every client of the protocol takes. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ArgumentsSchema;
  /** Answers text for the agent. Throws a ToolError, or a QueryError of the service. */
  run(given: ToolArguments, signal: AbortSignal): Promise<string>;
}

/** A call that the agent can mend: the message says how. */
export class ToolError extends Error {}
