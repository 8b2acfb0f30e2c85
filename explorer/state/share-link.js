import { between, windowRange } from '../time/window.js';
import { formatLocation } from './location.js';

/** @import { Question } from './location.js' */

/**
 * The address that asks a question. At a present it is given, a window up to now becomes the times that it stands for then; without one
 * it stays relative.
 *
 * @param {Question} question
 * @param {number | null} nowMs
 */
export function shareLink(question, nowMs) {
  const range = nowMs === null ? null : windowRange(question.window, nowMs);
  const fixed = range === null ? null : between(Math.floor(range.startMs), Math.ceil(range.endMs));
  return new URL(formatLocation({ ...question, window: fixed ?? question.window }), location.href).href;
}
