import {
  type Admission,
  type AdmissionLimits,
  makeAdmission,
} from '../../../../shared/admission/admission.ts';

/** What a service lets through when nothing is said. */
export const DEFAULT_LIMITS: AdmissionLimits = {
  running: 4,
  waiting: 16,
  lanes: 16,
  cpuSecondsPerMinute: 60,
};

/** Admission with other limits than those, on its own clock or the machine's. */
export function openAdmission(
  limits: Partial<AdmissionLimits> = {},
  nowMs: () => number = () => performance.now(),
): Admission {
  return makeAdmission({ ...DEFAULT_LIMITS, ...limits }, nowMs);
}
