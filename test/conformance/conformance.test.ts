import { startRealService } from '../data/support/real-service.ts';
import { CONFORMANCE_LOGS, CONFORMANCE_SOURCES } from './support/cases.ts';
import { conformanceSuite } from './support/conformance-suite.ts';

conformanceSuite(() => startRealService('--logs', CONFORMANCE_LOGS, '--sources', CONFORMANCE_SOURCES));
