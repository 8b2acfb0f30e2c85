/** The part of a terminal or another stream that is written to. */
export interface StatusStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** One line that says what goes on, drawn over and over; only a terminal has it. */
export interface StatusLine {
  show(text: string): void;
  /** Takes the line away, for what is written next. */
  clear(): void;
}

const CLEAR_LINE = '\r\u001b[2K';
const DEFAULT_COLUMNS = 80;

/**
 * A status line on a stream. Nothing is written to a stream that is no terminal; a longer text is cut at its width,
 * which is `DEFAULT_COLUMNS` where the terminal reports none.
 */
export function statusLine(stream: StatusStream): StatusLine {
  let isShown = false;
  return {
    show: (text) => {
      if (stream.isTTY !== true) return;
      isShown = true;
      // One column less than there is: a full line makes some terminals scroll. Some report 0 columns.
      stream.write(CLEAR_LINE + text.slice(0, (stream.columns || DEFAULT_COLUMNS) - 1));
    },
    clear: () => {
      if (isShown) stream.write(CLEAR_LINE);
      isShown = false;
    },
  };
}
