/** What a property says about one query. */
export type Verdict =
  /** It holds. `accepted`: both sides take the query, so that there was something to compare. */
  | { readonly kind: 'passed'; readonly accepted: boolean }
  /** It holds, because we refuse a query that the oracle takes; the reason shows gaps. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly property: string; readonly detail: string }
  /** The oracle cannot know. */
  | { readonly kind: 'unjudged'; readonly reason: string };
