import { ServiceError } from '../../../errors/service-error.ts';
import { byteText, byteTexts } from '../../byte-text.ts';
import type { ApiFailure } from '../rest/api-failure.ts';
import type { WindowAdvice } from './longest-window.ts';

/** What is known of a query that BigQuery refused for what it would bill. */
export interface TooManyBytes {
  /** What it would bill, and what it may, in bytes; null where BigQuery does not say. */
  readonly billed: number | null;
  readonly cap: number | null;
  readonly advice: WindowAdvice;
  /** The parameters that bound its time, in the order in which they are to be changed. */
  readonly timeParameters: readonly string[];
  /** The parameter that would bound its time from below and is not given; null where it is, or there is none. */
  readonly missingBound: string | null;
  /** Whether a consumer wrote it, who may write another. */
  readonly isConsumers: boolean;
}

/** What the query would bill, in bytes, by the words in which BigQuery refuses it; null where they do not say. */
export function parseBilledBytes({ message }: ApiFailure): number | null {
  const estimate = /(\d+) or higher required/.exec(message)?.[1];
  return estimate === undefined ? null : Number(estimate);
}

/** The refusal of a query that would bill more than it may: with the estimate, the cap and the longest window that fits. */
export function tooManyBytes(facts: TooManyBytes, cause: unknown): ServiceError {
  const { billed, cap, advice, timeParameters, missingBound } = facts;
  const [parameter] = missingBound === null ? timeParameters : [missingBound];
  return new ServiceError('resource_exhausted', `${sizeText(billed, cap)} ${adviceText(facts)}`, {
    cause,
    details: [
      {
        ...(parameter === undefined ? {} : { parameter }),
        reason: 'too_many_bytes',
        ...(billed === null ? {} : { estimatedBytesBilled: billed }),
        ...(cap === null ? {} : { maxBytesBilled: cap }),
        longestWindow: advice.kind === 'longest' ? advice.window : null,
      },
    ],
  });
}

function sizeText(billed: number | null, cap: number | null): string {
  if (cap === null) return 'The query would bill more bytes than it may.';
  if (billed === null) return `The query would bill more than the ${byteText(cap)} that it may.`;
  const [needed, most] = byteTexts(billed, cap);
  return `The query would bill ${needed}, more than the ${most} that it may.`;
}

function adviceText({ advice, missingBound, isConsumers }: TooManyBytes): string {
  const otherwise = isConsumers ? 'select fewer columns' : "ask the service's operator for a higher cap";
  switch (advice.kind) {
    case 'longest': {
      const about = advice.window.isVerified ? '' : 'about ';
      return `The longest time range that fits is ${about}${advice.span}: send ${advice.send}, or ${otherwise}.`;
    }
    case 'none':
      return `Not even ${advice.shortest} of logs fits, and less is not read: ${otherwise}.`;
    case 'unknown':
      return missingBound === null
        ? `Narrow the time range, or ${otherwise}.`
        : `It has no lower time bound: send ${missingBound}, or ${otherwise}.`;
    default: {
      const unreachable: never = advice;
      throw new TypeError(`advice ${JSON.stringify(unreachable)}`);
    }
  }
}
