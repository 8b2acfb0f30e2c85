import { escapeUnprintable } from '../../shared/runtime/printable.ts';
import type { Colours } from '../terminal/colour.ts';

/** Something that is missing or wrong, and what mends it. */
export interface Finding {
  /** `error`: requests fail or will. `warning`: they work, but something costs more or protects less than it should. */
  readonly severity: 'error' | 'warning';
  /** What it is about, such as `BigQuery`. */
  readonly subject: string;
  /** Without a stop at the end, as the remedy. */
  readonly problem: string;
  readonly remedy: string;
}

/** A finding for which requests fail now or later. Neither text ends with a full stop. */
export function error(subject: string, problem: string, remedy: string): Finding {
  return { severity: 'error', subject, problem, remedy };
}

/** A finding that leaves requests working, at a higher cost or with less protection. Neither text ends with a full stop. */
export function warning(subject: string, problem: string, remedy: string): Finding {
  return { severity: 'warning', subject, problem, remedy };
}

/** A finding as one line. */
export function findingText(
  { severity, subject, problem, remedy }: Finding,
  { red, yellow }: Colours,
): string {
  const mark = severity === 'error' ? red('error') : yellow('warning');
  return `${mark}  ${escapeUnprintable(`${subject}: ${problem}; ${remedy}`)}\n`;
}
