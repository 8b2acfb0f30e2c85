import { expect, test } from '@jest/globals';
import { isLoopbackHost } from '../../../../shared/http/request/loopback.ts';

test.each([
  'localhost',
  'LOCALHOST',
  '127.0.0.1',
  '127.8.9.10',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
])('%s is this machine alone', (host) => expect(isLoopbackHost(host)).toBe(true));

test.each([
  '',
  '0.0.0.0',
  '::',
  '10.0.0.1',
  '128.0.0.1',
  '192.168.1.7',
  'example.com',
  'localhost.example.com',
  '127.0.0.1.example.com',
  'xlocalhost',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '::2',
  '::ffff:10.0.0.1',
  '[::1',
])('"%s" is not', (host) => expect(isLoopbackHost(host)).toBe(false));
