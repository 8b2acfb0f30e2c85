import { invalidParameter } from '../../errors/service-error.ts';
import { isGiven, single } from '../request/answer-options.ts';
import type { RequestParameters } from '../request/request-parameters.ts';
import { readHistogramSeconds } from './histogram-seconds.ts';

/** What counts the entries that a query selects, in place of its rows. */
export type EntryCount =
  | { readonly kind: 'histogram'; readonly seconds: number; readonly bySeverity: boolean }
  | { readonly kind: 'facet'; readonly path: string };

/** The request's parameters that ask for counts. */
export const COUNT_PARAMETERS = ['histogram', 'histogram_by', 'facet'] as const;

/** Longer paths than any schema has. */
const MAX_PATH_CHARACTERS = 1000;

/** How a request wants entries to be counted; null where it wants the rows. Throws a ServiceError (invalid_argument). */
export function readEntryCount(request: RequestParameters): EntryCount | null {
  const seconds = readHistogramSeconds(request);
  const bySeverity = readBySeverity(request);
  if (seconds === null && bySeverity) {
    throw invalidParameter(
      'histogram_by',
      "Parameter 'histogram_by' goes with 'histogram'; send the width of a bar as well, such as histogram=60.",
    );
  }
  if (!isGiven(request, 'facet')) {
    return seconds === null ? null : { kind: 'histogram', seconds, bySeverity };
  }
  if (seconds !== null) {
    throw invalidParameter('facet', "Parameter 'facet' does not go with 'histogram'; send one of them.");
  }
  const path = single(request, 'facet');
  if (path.length <= MAX_PATH_CHARACTERS) return { kind: 'facet', path };
  throw invalidParameter('facet', `Parameter 'facet' is too long. It accepts the path of a field.`);
}

function readBySeverity(request: RequestParameters): boolean {
  if (!isGiven(request, 'histogram_by')) return false;
  if (single(request, 'histogram_by') === 'severity') return true;
  throw invalidParameter('histogram_by', "Parameter 'histogram_by' is not valid. It accepts severity.");
}
