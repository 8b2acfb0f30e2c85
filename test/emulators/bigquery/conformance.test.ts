import { conformanceSuite } from '../../conformance/support/conformance-suite.ts';
import { startRealService } from '../../data/support/real-service.ts';
import { emulatedOptions, makeConformanceDataset } from './support/emulated-logs.ts';

conformanceSuite(async () => startRealService(...emulatedOptions(await makeConformanceDataset())));
