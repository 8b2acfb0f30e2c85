import { expect, test } from '@jest/globals';
import { seriesClasses } from '../../explorer/chart/series-classes.js';

test('series have the colour of what their name says, each in its own shade, and no other has one of these', () => {
  expect(seriesClasses(['200', '503', 'edge', '504', 'others', '404', '500', '501'])).toEqual([
    'series severity-info',
    'series severity-error',
    'series series-2',
    'series severity-error shade-1',
    'series series-3',
    'series severity-warning',
    'series severity-error shade-2',
    'series series-4',
  ]);
});
