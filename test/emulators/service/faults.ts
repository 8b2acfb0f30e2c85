/** What goes wrong in the tests of a service in the cloud, each once; docs/operations.md has a row for each. */
export const FAULTS = [
  'Firestore is down when an instance starts',
  'Firestore goes down later',
  'Firestore is slow',
  'Firestore does not answer',
  'Connections to Firestore break again and again',
  'BigQuery answers 500',
  'BigQuery answers 503',
  "BigQuery's quota is used up",
  'BigQuery refuses for want of a right',
  'BigQuery is slower than the deadline',
  'A connection to BigQuery breaks in the middle of an answer',
  'BigQuery cannot be reached',
  'A cached document is malformed',
  "A token's document is malformed",
  'The clocks of two instances are two minutes apart',
  'An instance is killed while it writes',
  'Firestore is slow to note what is asked for',
  'An instance stands still once its answer is given',
  'Firestore does not answer when a round of warming begins',
  'Queries fail while results are warmed',
] as const;

export type Fault = (typeof FAULTS)[number];
