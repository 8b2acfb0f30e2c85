import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL IP addresses on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ["net.ip_from_string('1.2.3.4')", '"AQIDBA=="'],
    ["net.ip_from_string('255.255.255.255')", '"/////w=="'],
    ["net.ip_from_string('0.0.0.0')", '"AAAAAA=="'],
    ["net.safe_ip_from_string('256.1.1.1')", 'null'],
    ["net.safe_ip_from_string('1.2.3.04')", 'null'],
    ["net.safe_ip_from_string('1.2.3')", 'null'],
    ["net.safe_ip_from_string(' 1.2.3.4')", 'null'],
    ["net.safe_ip_from_string('1.2.3.4 ')", 'null'],
    ["net.safe_ip_from_string('')", 'null'],
    ['net.safe_ip_from_string(null)', 'null'],
    ["to_hex(net.ip_from_string('2001:db8::1'))", '"20010db8000000000000000000000001"'],
    ["to_hex(net.ip_from_string('::'))", '"00000000000000000000000000000000"'],
    ["to_hex(net.ip_from_string('::1'))", '"00000000000000000000000000000001"'],
    ["to_hex(net.ip_from_string('1::'))", '"00010000000000000000000000000000"'],
    ["to_hex(net.ip_from_string('1:2:3:4:5:6:7:8'))", '"00010002000300040005000600070008"'],
    ["to_hex(net.ip_from_string('2001:DB8:0:0:8:800:200C:417A'))", '"20010db80000000000080800200c417a"'],
    ["to_hex(net.ip_from_string('::ffff:1.2.3.4'))", '"00000000000000000000ffff01020304"'],
    ["to_hex(net.ip_from_string('::1.2.3.4'))", '"00000000000000000000000001020304"'],
    ["to_hex(net.ip_from_string('1:2:3:4:5:6:1.2.3.4'))", '"00010002000300040005000601020304"'],
    ["to_hex(net.ip_from_string('1:2:3:4:5:6:7::'))", '"00010002000300040005000600070000"'],
    ["to_hex(net.ip_from_string('::2:3:4:5:6:7:8'))", '"00000002000300040005000600070008"'],
    ["net.safe_ip_from_string('1::2::3')", 'null'],
    ["net.safe_ip_from_string('1:2:3:4:5:6:7')", 'null'],
    ["net.safe_ip_from_string('1:2:3:4:5:6:7:8:9')", 'null'],
    ["net.safe_ip_from_string('12345::')", 'null'],
    ["net.safe_ip_from_string('fe80::1%eth0')", 'null'],
    ["net.safe_ip_from_string(':1')", 'null'],
    ["net.safe_ip_from_string('1:')", 'null'],
    ["net.safe_ip_from_string(':::')", 'null'],
    ["net.safe_ip_from_string('1:2:3:4:5:6:7:8::')", 'null'],
    ["net.safe_ip_from_string('[::1]')", 'null'],
    ["net.safe_ip_from_string('::g')", 'null'],
    ["net.safe_ip_from_string('1.2.3.4::')", 'null'],
    ["net.safe_ip_from_string('::1.2.3')", 'null'],
    ["net.safe_ip_from_string('::1.2.3.256')", 'null'],
    ["to_hex(net.safe_ip_from_string('1:2:3:4:5:6:7::8'))", 'null'],
    [String.raw`net.ip_to_string(b'\x01\x02\x03\x04')`, '"1.2.3.4"'],
    ["net.ip_to_string(net.ip_from_string('2001:db8:0:0:1:0:0:1'))", '"2001:db8::1:0:0:1"'],
    ["net.ip_to_string(net.ip_from_string('2001:0:0:1:0:0:0:1'))", '"2001:0:0:1::1"'],
    ["net.ip_to_string(net.ip_from_string('::'))", '"::"'],
    ["net.ip_to_string(net.ip_from_string('::1'))", '"::1"'],
    ["net.ip_to_string(net.ip_from_string('1::'))", '"1::"'],
    ["net.ip_to_string(net.ip_from_string('2001:db8:0:1:1:1:1:1'))", '"2001:db8:0:1:1:1:1:1"'],
    ["net.ip_to_string(net.ip_from_string('::ffff:1.2.3.4'))", '"::ffff:1.2.3.4"'],
    ["net.ip_to_string(net.ip_from_string('::1.2.3.4'))", '"::1.2.3.4"'],
    ["net.ip_to_string(net.ip_from_string('::1:2'))", '"::0.1.0.2"'],
    ["net.ip_to_string(net.ip_from_string('::ffff:0:1.2.3.4'))", '"::ffff:0:102:304"'],
    ["net.ip_to_string(net.ip_from_string('64:ff9b::1.2.3.4'))", '"64:ff9b::102:304"'],
    [
      "net.ip_to_string(net.ip_from_string('ABCD:EF01:2345:6789:ABCD:EF01:2345:6789'))",
      '"abcd:ef01:2345:6789:abcd:ef01:2345:6789"',
    ],
    ['net.ip_to_string(null)', 'null'],
    ['net.ip_net_mask(4, 0)', '"AAAAAA=="'],
    ['net.ip_net_mask(4, 20)', '"///wAA=="'],
    ['net.ip_net_mask(4, 32)', '"/////w=="'],
    ['to_hex(net.ip_net_mask(16, 1))', '"80000000000000000000000000000000"'],
    ['to_hex(net.ip_net_mask(16, 127))', '"fffffffffffffffffffffffffffffffe"'],
    ['to_hex(net.ip_net_mask(16, 128))', '"ffffffffffffffffffffffffffffffff"'],
    [String.raw`to_hex(net.ip_trunc(b'\xaa\xbb\xcc\xdd', 0))`, '"00000000"'],
    [String.raw`to_hex(net.ip_trunc(b'\xaa\xbb\xcc\xdd', 11))`, '"aaa00000"'],
    [String.raw`to_hex(net.ip_trunc(b'\xaa\xbb\xcc\xdd', 24))`, '"aabbcc00"'],
    [String.raw`to_hex(net.ip_trunc(b'\xaa\xbb\xcc\xdd', 32))`, '"aabbccdd"'],
    ["to_hex(net.ip_trunc(net.ip_from_string('2001:db8::1'), 33))", '"20010db8000000000000000000000000"'],
    ["net.ip_to_string(net.ip_trunc(net.safe_ip_from_string('192.0.2.255'), 24))", '"192.0.2.0"'],
    ['to_hex(net.ipv4_from_int64(0))', '"00000000"'],
    ['to_hex(net.ipv4_from_int64(-1))', '"ffffffff"'],
    ['to_hex(net.ipv4_from_int64(4294967295))', '"ffffffff"'],
    ['to_hex(net.ipv4_from_int64(-2147483648))', '"80000000"'],
    [String.raw`net.ipv4_to_int64(b'\xff\xff\xff\xff')`, '4294967295'],
    ["net.ipv4_to_int64(net.ip_from_string('10.0.0.1'))", '167772161'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ["net.ip_from_string('x')", 'NET.IP_FROM_STRING() encountered an unparseable IP-address: x'],
    ["net.ip_to_string(b'abc')", 'Expected 4 (for IPv4) or 16 (for IPv6) bytes but got 3'],
    ['net.ip_net_mask(4, 33)', 'must be between 0 and the first argument * 8; got 33'],
    ['net.ip_net_mask(4, -1)', 'must be between 0 and the first argument * 8; got -1'],
    ['net.ip_net_mask(5, 3)', 'must be either 4 (for IPv4) or 16 (for IPv6); got 5'],
    ["net.ip_trunc(b'abcd', 33)", 'must be between 0 and 8 * LENGTH(first argument); got 33'],
    ["net.ip_trunc(b'abc', 1)", 'must have length 4 (for IPv4) or 16 (for IPv6); got 3'],
    ['net.ipv4_from_int64(4294967296)', 'Expected range: [-0x80000000, 0xFFFFFFFF]; got 4294967296'],
    ["net.ipv4_to_int64(b'abcde')", 'Expected 4 bytes but got 5'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
