import { describe, expect, test } from '@jest/globals';
import { byteText, byteTexts } from '../../../shared/warehouse/byte-text.ts';

const MIB = 1024 ** 2;

describe('bytes in words', () => {
  test.each([
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [10 * MIB, '10 MiB'],
    [1.5 * 1024, '1.5 KiB'],
    [1023 * MIB, '1023 MiB'],
    [12.3456, '12.3 bytes'],
    [12_240_656_794, '11.4 GiB'],
    [364 * 1024 ** 3, '364 GiB'],
    [2 ** 60, '1024 PiB'],
  ])('%d are %s', (bytes, text) => {
    expect(byteText(bytes)).toBe(text);
  });

  test('two numbers that would read alike are written in full', () => {
    expect(byteTexts(2 ** 30 + MIB, 2 ** 30)).toEqual(['1,074,790,400 bytes', '1,073,741,824 bytes']);
    expect(byteTexts(2 ** 31, 2 ** 30)).toEqual(['2 GiB', '1 GiB']);
  });
});
