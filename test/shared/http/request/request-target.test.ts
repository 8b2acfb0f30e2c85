import { describe, expect, test } from '@jest/globals';
import { endpointKey, isQueryPath, splitTarget } from '../../../../shared/http/request/request-target.ts';

describe('splitTarget', () => {
  test.each([
    ['/', '/', ''],
    ['/a?b=c', '/a', 'b=c'],
    ['/a?b=c?d', '/a', 'b=c?d'],
    ['?b=c', '/', 'b=c'],
    ['http://localhost:8080/a?b=c', '/a', 'b=c'],
    ['HTTPS://host', '/', ''],
    ['http://host?b=/c', '/', 'b=/c'],
    ['/a?u=http://host/b', '/a', 'u=http://host/b'],
    ['*', '*', ''],
  ])('splits %p', (url, path, query) => {
    expect(splitTarget(url)).toEqual({ path, query });
  });
});

describe('endpointKey', () => {
  test.each([
    ['/api/endpoints/query/logs.all', 'logs.all'],
    ['/api/endpoints/query/logs.all/', 'logs.all'],
    ['/api/endpoints/query/logs%2Eall', 'logs.all'],
    ['/api/endpoints/query/logs%252Eall', 'logs%2Eall'],
    ['/api/endpoints/query/a+b', 'a+b'],
    ['/api/endpoints/query/', undefined],
    ['/api/endpoints/query', undefined],
    ['/api/endpoints/query/a/b', undefined],
    ['/api/endpoints/query/a//', undefined],
    ['/api/endpoints/query/%zz', undefined],
    ['/api/endpoints/query/%ff', undefined],
    ['/api/endpoints/queries/a', undefined],
    ['/API/endpoints/query/a', undefined],
    ['/', undefined],
  ])('reads %p', (path, key) => {
    expect(endpointKey(path)).toBe(key);
  });
});

test.each([
  ['/api/endpoints/query', true],
  ['/api/endpoints/query/', true],
  ['/api/endpoints/query/a/b', true],
  ['/api/endpoints/queryx', false],
  ['/healthz', false],
])('isQueryPath decides about %p', (path, expected) => {
  expect(isQueryPath(path)).toBe(expected);
});
