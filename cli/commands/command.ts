/** The commands of `lqe`. */
export type CommandName =
  | 'start'
  | 'load'
  | 'query'
  | 'tail'
  | 'endpoints'
  | 'mcp'
  | 'new'
  | 'tokens'
  | 'warm'
  | 'check'
  | 'cost'
  | 'completion';

/** What completion offers in the place of a value; `endpoint` stands for the names of the built-in endpoints. */
export type Completes = 'file' | 'folder' | 'endpoint';

/** An option of a command. */
export interface Option {
  readonly flag: `--${string}`;
  /** What stands for the value in the help, such as FILE; null for a switch. */
  readonly value: string | null;
  /** The only values that there are. */
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  readonly isRepeatable?: boolean;
  /** A line of the help. */
  readonly help: string;
}

/** What follows a command's name without a flag. */
export interface Operand {
  readonly name: string;
  readonly isRequired: boolean;
  /** The only values that there are. */
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  readonly help: string;
}

/** A command as help, completion and the reading of arguments know it. */
export interface Command {
  readonly name: CommandName;
  /** A line in the list of commands. */
  readonly summary: string;
  readonly operands: readonly Operand[];
  readonly options: readonly Option[];
  /** What the help says under the options, a paragraph each; one that begins with a space keeps its lines. */
  readonly notes: readonly string[];
}

/** Every command has it. */
export const HELP_OPTION: Option = { flag: '--help', value: null, help: 'Print this and stop' };
