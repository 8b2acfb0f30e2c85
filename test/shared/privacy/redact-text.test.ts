import { describe, expect, test } from '@jest/globals';
import { makeRedactor } from '../../../shared/privacy/redactor.ts';

const { text: redactText } = makeRedactor();

const IPV6_FORMS = [
  '2001:0db8:0000:0000:0008:0800:200c:417a',
  '2001:DB8:0:0:8:800:200C:417A',
  '2001:db8::8:800:200c:417a',
  'ff02::1:ff00:0',
  '::1',
  '1::',
  '1::8',
  'fe80::',
  '::ffff',
  '::13.1.68.3',
  '::ffff:129.144.52.38',
  '0:0:0:0:0:ffff:129.144.52.38',
  '64:ff9b::192.0.2.33',
  '::2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7::',
  '1::3:4:5:6:7:8',
  'dead::beef',
  'cafe::face',
  'face:a::b',
  '00:11:22:33:44:55:66:77',
  'fe80::1%eth0',
  'fe80::1%12',
  'fe80::1%25en0',
  'fe80::1%bond0.100',
  '2001%3Adb8%3a%3a1',
];

describe('redactText, IPv6', () => {
  test.each(IPV6_FORMS)('%s goes, alone and next to any punctuation', (address) => {
    expect(redactText(address)).toEqual({ text: 'REDACTED', count: 1 });
    for (const [before, after] of [
      ['client ', ' connected'],
      ['ip=', '&next=1'],
      ['(', ')'],
      ['"', '"'],
      ["'", "'"],
      ['<', '>'],
      ['{', '}'],
      [',', ','],
      [';', ';'],
      ['|', '|'],
      ['/', '/64'],
      ['@', '!'],
      ['from ', '.'],
      ['from ', '...'],
      ['addr: ', ': refused'],
      ['地址', '的'],
      ['`', '`'],
      ['#', '?'],
      ['\t', '\n'],
    ] as const) {
      expect(redactText(before + address + after).text).toBe(`${before}REDACTED${after}`);
    }
  });

  test.each([
    ['[2001:db8::1]:443', '[REDACTED]:443'],
    ['http://[fe80::1%25eth0]:8080/path', 'http://[REDACTED]:8080/path'],
    ['http%3A%2F%2F%5B2001:db8::1%5D%2F', 'http%3A%2F%2F%5BREDACTED%5D%2F'],
    ['2001:db8::1.53 > ff02::fb.5353:', 'REDACTED.53 > REDACTED.5353:'],
    ['2001:db8:1:2:3:4:5:6:443', 'REDACTED:443'],
    ['2001%3Adb8%3A1%3A2%3A3%3A4%3A5%3A6%3A443', 'REDACTED%3A443'],
    ['1:2:3:4:5:6:7:8:54321', 'REDACTED:54321'],
    ['::ffff:10.0.0.1:80', 'REDACTED:80'],
    ['::ffff:10.0.0.1.80', 'REDACTED.80'],
    ['2001:db8::/32', 'REDACTED/32'],
    ['2001:db8::: refused', 'REDACTED: refused'],
    ['2001:db8:::80', 'REDACTED:80'],
    ['[::]:8080', '[REDACTED]:8080'],
    ['::/0', 'REDACTED/0'],
    ['::', 'REDACTED'],
    ['bind=:: port=1', 'bind=REDACTED port=1'],
    ['[a::b]', '[REDACTED]'],
    ['a::/16', 'REDACTED/16'],
    ['1::: refused', 'REDACTED: refused'],
    ['client:::1', 'client:REDACTED'],
    ['client:2001:db8::1', 'client:REDACTED'],
    ['src:fe80::1:dst:fe80::2', 'src:REDACTED:dst:REDACTED'],
    ['ip::2001:db8::1', 'ip::REDACTED'],
    ['fe80::1-fe80::9', 'REDACTED-REDACTED'],
    ['fe80::1_fe80::9', 'REDACTED_REDACTED'],
    ['1.2.3.4:5678:fe80::1', 'REDACTED:REDACTED'],
    ['1:2:3:4:5:6:7:8:10.0.0.1', 'REDACTED:REDACTED'],
    ['fe80::3:4:5:6:7:8:10.0.0.1', 'REDACTED:REDACTED'],
    ['10.0.0.1.fe80::1', 'REDACTED.REDACTED'],
    ['a:1.2.3.4:::5', 'a:REDACTED:REDACTED'],
    ['{\\"ip\\":\\"2001:db8::1\\"}', '{\\"ip\\":\\"REDACTED\\"}'],
    ['one\\nfe80::1\\ttwo', 'one\\nREDACTED\\ttwo'],
    ['\\u003dfe80::1\\u0026', '\\u003dREDACTED\\u0026'],
    ['ip%3Dfe80::1%26x', 'ip%3DREDACTED%26x'],
    ['\u001b[1;32mfe80::1\u001b[0m', '\u001b[1;32mREDACTED\u001b[0m'],
  ])('%j becomes %j', (text, expected) => {
    expect(redactText(text).text).toBe(expected);
  });

  test.each([
    '12:34:56',
    '12:34:56.789',
    '2015-05-17T10:05:03.123456Z',
    '17/May/2015:10:05:03 +0000',
    '2015:05:17 10:05:03',
    '12%3A34%3A56',
    'aa:bb:cc:dd:ee:ff',
    'AA-BB-CC-DD-EE-FF',
    'MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
    'MAC=ff:ff:ff:ff:ff:ff:00:11:22:33:44:55:08:00',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:g',
    '6a1f6a5c-1c9b-4d69-a6c1-abcdefabcdef',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'std::x',
    'std::vector<int>::iterator',
    'std::f64::consts',
    'crate::a1::b2',
    'core::fmt::Display',
    'a::b',
    'A::B',
    'a::b::c',
    'Face::Detector.call',
    'Foo::Bar::1',
    'foo::1',
    'x::text',
    '1::int',
    '$1::uuid[]',
    "'a'::date",
    '"col"::"char"',
    'foo_1::bar',
    'x :: y',
    'main :: IO ()',
    '::before',
    '::',
    'xfe80::1',
    'fe80::1x',
    '1::12345',
    'arn:aws:s3:::bucket/key',
    'arn:aws:iam::123456789012:user/x',
    '::::',
    ':',
    'a:b',
    'localhost:8080',
    '100%3A',
  ])('%j stays', (text) => {
    const inText = `see ${text} there`;
    expect(redactText(inText)).toEqual({ text: inText, count: 0 });
  });
});

describe('redactText, IPv4', () => {
  test.each([
    ['1.2.3.4', 'REDACTED'],
    ['0.0.0.0', 'REDACTED'],
    ['255.255.255.255', 'REDACTED'],
    ['192.168.001.010', 'REDACTED'],
    ['10.0.0.1:8080', 'REDACTED:8080'],
    ['10.0.0.0/8', 'REDACTED/8'],
    ['http://user@10.0.0.1:80/x?y=10.0.0.2', 'http://user@REDACTED:80/x?y=REDACTED'],
    ['ip=10.0.0.1,10.0.0.2;10.0.0.3', 'ip=REDACTED,REDACTED;REDACTED'],
    ['from 10.0.0.1.', 'from REDACTED.'],
    ['from 10.0.0.1...', 'from REDACTED...'],
    ['10.0.0.1..10.0.0.9', 'REDACTED..REDACTED'],
    ['10.0.0.1-10.0.0.9', 'REDACTED-REDACTED'],
    ['host_10.0.0.1_80', 'host_REDACTED_80'],
    ['10.0.0.1.nip.io', 'REDACTED.nip.io'],
    ['app.10.0.0.1', 'app.REDACTED'],
    ['localhost/127.0.0.1', 'localhost/REDACTED'],
    ['GET /10.0.0.1', 'GET /REDACTED'],
    ['host:10.0.0.1', 'host:REDACTED'],
    ['dead:beef:10.0.0.1', 'dead:beef:REDACTED'],
    ['来自10.0.0.1的', '来自REDACTED的'],
    ['é10.0.0.1é', 'éREDACTEDé'],
    ['a%2010.0.0.1%2F', 'a%20REDACTED%2F'],
    ['a%20192.168.1.1', 'a%20REDACTED'],
    ['ip%3D10.0.0.1%26', 'ip%3DREDACTED%26'],
    ['a\\n10.0.0.1\\n', 'a\\nREDACTED\\n'],
    ['\\u003c10.0.0.1\\u003e', '\\u003cREDACTED\\u003e'],
    ['\\x1b10.0.0.1', '\\x1bREDACTED'],
    ['\u001b[32m10.0.0.1\u001b[0m', '\u001b[32mREDACTED\u001b[0m'],
  ])('%j becomes %j', (text, expected) => {
    expect(redactText(text).text).toBe(expected);
  });

  test.each([
    '1.2.3',
    '1.2.3.4.5',
    '1.3.6.1.4.1.311',
    'v1.2.3.4',
    '1.2.3.4b1',
    '256.1.1.1',
    '1.256.1.1',
    '1.2.3.256',
    '1.2.3.1000',
    '1000.2.3.4',
    '0001.2.3.4',
    '1..2.3.4',
    '1.2.3.',
    '3.14159',
    '12.34.56,789',
    'Mozilla/5.0 Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0',
    '(Windows; U; rv:1.8.1.6) Gecko Firefox/2.0.0.6',
    'UP.Browser/6.2.2.3.c.1.101',
  ])('%j stays', (text) => {
    expect(redactText(text)).toEqual({ text, count: 0 });
  });

  test('counts what it replaces', () => {
    expect(redactText('1.2.3.4 then ::1, then 10.0.0.300').count).toBe(2);
  });
});

describe('redactText on hostile input', () => {
  // A megabyte each: anything worse than linear time would run for hours and into the test's time limit.
  test.each([
    ':',
    'a:',
    'a::',
    'a:::',
    '1:',
    '1.',
    '1.1.1.1.',
    '1:1.',
    '1::.',
    '::1%',
    '%3A',
    '%',
    '[::',
    'f',
    '\u001b[3',
    'Browser/1.1.1.1',
    '\\u003',
    '::ffff:1.2.3.4',
    '1:2:3:4:5:6:7:8',
  ])('reads a megabyte of %j', (piece) => {
    const text = piece.repeat(Math.ceil(1_048_576 / piece.length));
    expect(redactText(redactText(text).text).count).toBe(0);
    expect(redactText(`::1%a${piece.repeat(100_000)}`).count).toBeGreaterThan(0);
  });
});
