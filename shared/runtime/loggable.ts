import { ServiceError } from '../errors/service-error.ts';
import { mappedStack } from './mapped-stack.ts';

const MAX_DEPTH = 4;
const MAX_ITEMS = 50;
const MAX_TEXT = 8192;
const MAX_CAUSES = 8;

/** Fields and headers that carry a credential, whoever hands them over. */
const SECRET_NAME =
  /^(?:x-?api-?key|(?:proxy-)?authorization|(?:set-)?cookie|(?:access|id|refresh)?[-_]?token|password|secret|api_?key)$/i;

/** What JSON can hold of any value: secrets replaced, depth and size limited, cycles cut. It never throws. */
export function loggable(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : readable(value, depth);
    default:
      return undefined;
  }
}

function readable(value: object, depth: number): unknown {
  try {
    return loggableObject(value, depth);
  } catch {
    // A getter or a proxy of somebody's threw; the rest of the line is still worth writing.
    return '[unreadable]';
  }
}

function loggableObject(value: object, depth: number): unknown {
  if (depth >= MAX_DEPTH) return '…';
  if (value instanceof Error) return describeError(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Map) return loggableObject(Object.fromEntries([...value].slice(0, MAX_ITEMS)), depth);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => loggable(item, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, SECRET_NAME.test(key) ? '[redacted]' : loggable(item, depth + 1)]),
  );
}

/** An error for operators: its kind, its message, and those of its causes, outermost first. */
export interface ErrorDescription {
  readonly kind: string;
  readonly message: string;
  readonly causes?: readonly string[];
  /** Of unexpected errors. */
  readonly stack?: string;
}

/**
 * Describes anything thrown for the log: at most `MAX_CAUSES` causes, and `MAX_TEXT` characters of each text. A value
 * that is neither an Error nor a string is described by its type alone.
 */
export function describeError(error: unknown): ErrorDescription {
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause !== undefined && causes.length < MAX_CAUSES) {
    causes.push(messageOf(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  const stack = error instanceof Error && !(error instanceof ServiceError) ? error.stack : undefined;
  return {
    kind: error instanceof ServiceError ? error.kind : 'internal',
    message: error instanceof ServiceError ? limited(error.message) : messageOf(error),
    ...(causes.length === 0 ? {} : { causes }),
    ...(stack === undefined ? {} : { stack: limited(mappedStack(stack)) }),
  };
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return limited(`${error.name}: ${error.message}`);
  return limited(typeof error === 'string' ? error : `a thrown ${typeof error}`);
}

function limited(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
