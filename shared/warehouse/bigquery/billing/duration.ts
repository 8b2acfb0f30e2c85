import { nounFor } from '../../../errors/noun-for.ts';

/** The parts of a span of whole seconds, the largest first. */
function partsOf(seconds: number) {
  return [
    { count: Math.floor(seconds / 86_400), noun: 'day', letter: 'D' },
    { count: Math.floor(seconds / 3_600) % 24, noun: 'hour', letter: 'H' },
    { count: Math.floor(seconds / 60) % 60, noun: 'minute', letter: 'M' },
    { count: seconds % 60, noun: 'second', letter: 'S' },
  ].filter(({ count }) => count > 0);
}

/** A span of whole seconds in ISO 8601: `P1DT2H`. */
export function isoDuration(seconds: number): string {
  const parts = partsOf(seconds);
  const text = (isDay: boolean) =>
    parts
      .filter(({ letter }) => (letter === 'D') === isDay)
      .map(({ count, letter }) => `${count}${letter}`)
      .join('');
  if (parts.length === 0) return 'PT0S';
  const time = text(false);
  return `P${text(true)}${time === '' ? '' : `T${time}`}`;
}

/** A span of whole seconds in words, exact: `1 day and 2 hours`. */
export function durationText(seconds: number): string {
  const parts = partsOf(seconds).map(({ count, noun }) => `${count} ${nounFor(count, noun)}`);
  const [last = '0 seconds', ...others] = parts.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}
