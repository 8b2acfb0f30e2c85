import { expect, test } from '@jest/globals';
import { callerAddress } from '../../../../shared/http/request/caller-address.ts';

const PROXY = '169.254.1.1';

test.each<[string, string | string[] | undefined, number, string]>([
  ['the connection where no proxy is known', '198.51.100.7', 0, PROXY],
  ['what the load balancer appended', '203.0.113.9, 34.1.2.3', 2, '203.0.113.9'],
  ['not what the caller made up', '10.0.0.1, 10.0.0.2,203.0.113.9,34.1.2.3', 2, '203.0.113.9'],
  ['an IPv6 address', '2001:db8::7, 34.1.2.3', 2, '2001:db8::7'],
  ['the header in several lines', ['10.0.0.1', '203.0.113.9, 34.1.2.3'], 2, '203.0.113.9'],
  ['the connection without the header', undefined, 2, PROXY],
  ['the connection where the header is too short', '34.1.2.3', 2, PROXY],
  ['the connection where the header has no address there', 'unknown, 34.1.2.3', 2, PROXY],
  ['the connection where text stands there', '<script>, 34.1.2.3', 2, PROXY],
])('the caller is %s', (_, header, position, expected) => {
  const headers = header === undefined ? {} : { 'x-forwarded-for': header as string };
  expect(callerAddress(headers, PROXY, position)).toBe(expected);
});
