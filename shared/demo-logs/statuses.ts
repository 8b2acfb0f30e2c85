import type { Weighted } from './random.ts';

/** How often each status is the answer, by what is asked for. */
export const READ: Weighted<number> = [
  [200, 82],
  [206, 6],
  [304, 4],
  [400, 2],
  [401, 2],
  [404, 1.2],
  [429, 1],
  [500, 0.5],
  [502, 0.3],
  [503, 0.3],
  [504, 0.3],
];
export const WRITE: Weighted<number> = [
  [201, 84],
  [400, 3],
  [401, 3],
  [403, 3],
  [409, 5],
  [500, 1],
  [502, 0.5],
  [503, 0.5],
];
export const CHANGE: Weighted<number> = [
  [204, 86],
  [200, 6],
  [400, 2],
  [401, 2],
  [403, 2],
  [409, 1],
  [500, 1],
];
export const FILE: Weighted<number> = [
  [200, 70],
  [304, 14],
  [206, 6],
  [400, 3],
  [404, 5],
  [403, 1],
  [500, 0.5],
  [504, 0.5],
];
export const LOGIN: Weighted<number> = [
  [200, 80],
  [400, 15],
  [429, 4],
  [500, 1],
];
export const OK: Weighted<number> = [[200, 1]];
