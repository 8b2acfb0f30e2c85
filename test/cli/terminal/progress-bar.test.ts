import { describe, expect, test } from '@jest/globals';
import { progressBar } from '../../../cli/terminal/progress-bar.ts';
import type { LoadProgress } from '../../../shared/warehouse/duckdb/loading/load-progress.ts';

const CLEAR = '\r\u001b[2K';

function render(stream: { isTTY?: boolean; columns?: number }, reports: Partial<LoadProgress>[]): string {
  let text = '';
  const show = progressBar({ ...stream, write: (part) => (text += part) });
  for (const report of reports) {
    show({ source: 'edge_logs', phase: 'reading', bytesRead: 0, totalBytes: 0, rows: 0, ...report });
  }
  return text;
}

describe('on a terminal', () => {
  test('the bar grows with the bytes read and is drawn over itself', () => {
    const text = render({ isTTY: true, columns: 80 }, [
      { bytesRead: 0, totalBytes: 200 },
      { bytesRead: 100, totalBytes: 200, rows: 1500 },
    ]);
    expect(text).toBe(
      `${CLEAR}edge_logs: [${'-'.repeat(30)}]   0 %, 0 entries` +
        `${CLEAR}edge_logs: [${'#'.repeat(15)}${'-'.repeat(15)}]  50 %, 1,500 entries`,
    );
  });

  test('sorting and the end of a source are shown', () => {
    const text = render({ isTTY: true }, [
      { phase: 'sorting', rows: 2 },
      { phase: 'done', rows: 2 },
    ]);
    expect(text).toBe(`${CLEAR}edge_logs: sorting 2 entries by time${CLEAR}edge_logs: 2 entries\n`);
  });

  test('a source without entries leaves no line', () => {
    expect(render({ isTTY: true }, [{ phase: 'done' }])).toBe('');
    expect(render({ isTTY: true }, [{}, { phase: 'done' }]).endsWith(`, 0 entries${CLEAR}`)).toBe(true);
  });

  test('demo logs show which source is made', () => {
    expect(render({ isTTY: true }, [{ phase: 'making' }])).toBe(`${CLEAR}Generating demo logs: edge_logs`);
  });

  test('a line never fills the terminal', () => {
    const text = render({ isTTY: true, columns: 20 }, [{ bytesRead: 5, totalBytes: 10, rows: 5 }]);
    expect(text.slice(CLEAR.length)).toHaveLength(19);
  });

  test('more bytes than were announced do not overflow the bar', () => {
    const text = render({ isTTY: true }, [{ bytesRead: 30, totalBytes: 10 }]);
    expect(text).toContain(`[${'#'.repeat(30)}] 100 %`);
  });
});

describe('elsewhere', () => {
  test('each source that has entries writes one plain line when it is done', () => {
    const text = render({}, [
      { phase: 'making' },
      { bytesRead: 1, totalBytes: 2, rows: 1 },
      { phase: 'sorting', rows: 1 },
      { phase: 'done', rows: 1 },
      { source: 'auth_logs', phase: 'done' },
    ]);
    expect(text).toBe('edge_logs: 1 entry\n');
  });
});
