import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { chooseCoding, compress } from '../../../../shared/http/formats/coding.ts';
import { chooseFormat } from '../../../../shared/http/formats/format.ts';

describe('the format of an answer', () => {
  test.each<[string, string | null, string | undefined, string]>([
    ['JSON without a word', null, undefined, 'json'],
    ['JSON for whoever takes anything', null, '*/*', 'json'],
    ['JSON for a browser', null, 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
    ['CSV by Accept', null, 'text/csv', 'csv'],
    ['CSV for any text', null, 'text/*', 'csv'],
    ['NDJSON by Accept', null, 'application/x-ndjson', 'ndjson'],
    ['NDJSON by its other name', null, 'application/jsonl', 'ndjson'],
    ['what is preferred', null, 'application/json;q=0.5, text/csv', 'csv'],
    ['what the parameter says, whatever Accept says', 'json', 'text/csv', 'json'],
  ])('is %s', (_, parameter, accept, format) => {
    expect(chooseFormat(parameter, accept === undefined ? {} : { accept })).toBe(format);
  });

  test.each(['text/html', 'application/json;q=0', 'nonsense', `${'text/csv,'.repeat(300)}*/*`])(
    'is refused for Accept: %s',
    (accept) => {
      expect(() => chooseFormat(null, { accept })).toThrow(
        expect.objectContaining({ kind: 'not_acceptable' }),
      );
    },
  );

  test('is refused by name where the parameter is invalid', () => {
    expect(() => chooseFormat('xml', {})).toThrow(
      expect.objectContaining({ kind: 'invalid_argument', details: [{ parameter: 'format' }] }),
    );
  });
});

describe('the coding of a body', () => {
  test.each<[string | undefined, string]>([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['br, gzip', 'br'],
    ['gzip;q=0.5, br;q=0.1', 'gzip'],
    ['deflate', 'identity'],
    ['gzip;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['*', 'br'],
    ['gzip,'.repeat(500), 'identity'],
  ])('for Accept-Encoding %s is %s', (accepted, coding) => {
    expect(chooseCoding(accepted === undefined ? {} : { 'accept-encoding': accepted })).toBe(coding);
  });

  test('gives back the same bytes', async () => {
    const body = Buffer.from('{"result":[]}'.repeat(200));
    expect(gunzipSync(await compress(body, 'gzip'))).toEqual(body);
    expect(brotliDecompressSync(await compress(body, 'br'))).toEqual(body);
    expect(await compress(body, 'identity')).toBe(body);
  });
});
