import { expect, test } from '@jest/globals';
import { startRealService } from '../data/support/real-service.ts';
import { CONFORMANCE_LOGS, CONFORMANCE_SOURCES, furtherCases } from './support/cases.ts';
import { conformanceSuite } from './support/conformance-suite.ts';

conformanceSuite(
  () => startRealService('--logs', CONFORMANCE_LOGS, '--sources', CONFORMANCE_SOURCES),
  new Map(),
  furtherCases,
);

test('further queries with known answers are there', () => {
  expect(furtherCases.length).toBeGreaterThanOrEqual(190);
});
