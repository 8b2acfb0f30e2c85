const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** A number of bytes for people, with three digits or a few more: `11.4 GiB`. */
export function byteText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  const decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${Number(value.toFixed(decimals))} ${UNITS[power]}`;
}

/** Two numbers of bytes for people, which differ in words wherever the numbers do. */
export function byteTexts(one: number, other: number): readonly [string, string] {
  const texts = [byteText(one), byteText(other)] as const;
  if (one === other || texts[0] !== texts[1]) return texts;
  const exact = (bytes: number) => `${bytes.toLocaleString('en-US')} bytes`;
  return [exact(one), exact(other)];
}
