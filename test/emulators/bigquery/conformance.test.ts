import { afterEach } from '@jest/globals';
import { conformanceSuite } from '../../conformance/support/conformance-suite.ts';
import { startRealService } from '../../data/support/real-service.ts';
import { EMULATOR_CASE_DEFECTS } from './emulator-defects.ts';
import { forgetJobs } from './support/emulated-dataset.ts';
import { emulatedOptions, makeConformanceDataset } from './support/emulated-logs.ts';

afterEach(forgetJobs);

conformanceSuite(
  async () => startRealService(...emulatedOptions(await makeConformanceDataset())),
  EMULATOR_CASE_DEFECTS,
);
