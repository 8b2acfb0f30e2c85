/** The widths that bars of a histogram may have, in seconds. */
const WIDTHS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
];
const MOST_BARS = 96;

/** How many seconds a bar stands for, so that a range has no more bars than can be distinguished. @param {number} rangeSeconds */
export function bucketSeconds(rangeSeconds) {
  const width = WIDTHS.find((seconds) => rangeSeconds / seconds <= MOST_BARS);
  return width ?? Math.ceil(rangeSeconds / MOST_BARS / 86_400) * 86_400;
}

/** Instants at which an axis may be labelled, in order. @param {number} startMs @param {number} endMs @param {number} most @param {number} offsetMs What the shown zone is ahead of UTC. */
export function timeTicks(startMs, endMs, most, offsetMs) {
  const seconds = (endMs - startMs) / 1000;
  const widths = [...WIDTHS, 172_800, 259_200, 604_800, 1_209_600, 2_592_000, 7_776_000, 31_536_000];
  const width = (widths.find((one) => seconds / one <= most) ?? Math.ceil(seconds / most)) * 1000;
  const ticks = [];
  for (let at = Math.ceil((startMs + offsetMs) / width) * width - offsetMs; at <= endMs; at += width)
    ticks.push(at);
  return { ticks, widthMs: width };
}

/** The end of a value axis: a round number, of which the half is round as well. @param {number} greatest */
export function niceMaximum(greatest) {
  if (!(greatest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(greatest));
  return ([1, 2, 3, 4, 5, 6, 8].find((factor) => factor * power >= greatest) ?? 10) * power;
}
