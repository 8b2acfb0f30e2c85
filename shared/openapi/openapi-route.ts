/** Where the document is. */
export const OPENAPI_ROUTE = '/openapi.json';
