/** Beyond the ids of any resolved query, whose number the limits on a query's text bound. */
const FIRST_ID = 1_000_000;

/** Gives ids of columns that a resolved query does not have, each once. */
export function columnIds(): () => number {
  let last = FIRST_ID;
  return () => {
    last++;
    return last;
  };
}
