import { askService } from './ask-service.js';

/** @import { Catalogue } from '../editor/vocabulary.js' */

/** What the service offers to the holder of a token. Throws a QueryError. @param {string} baseUrl @param {string} token @returns {Promise<Catalogue>} */
export function fetchCatalogue(baseUrl, token) {
  return askService(baseUrl, 'explorer/catalogue.json', token);
}
