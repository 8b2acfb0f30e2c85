/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { SeverityField, SeverityTable } from '../severity/severity.js' */

/**
 * The service's catalogue, as the page reads it (GET explorer/catalogue.json).
 *
 * @typedef {{ readonly name: string, readonly columns: readonly ColumnSchema[], readonly severity?: readonly SeverityField[] }} Source
 * @typedef {{ readonly name: string, readonly kind: 'scalar' | 'aggregate' | 'window', readonly description: string, readonly signatures: readonly string[] }} FunctionEntry
 * @typedef {object} ParameterEntry
 * @property {string} name
 * @property {string} type
 * @property {boolean} required
 * @property {readonly string[] | null} allowed
 * @property {string | null} format
 * @property {string} description
 * @property {string} example
 * @typedef {object} EndpointEntry
 * @property {string} name
 * @property {string} description
 * @property {number} maxRows
 * @property {number} cacheTtlSeconds
 * @property {boolean} sandbox
 * @property {string | null} projectParameter
 * @property {readonly ParameterEntry[]} parameters
 * @property {readonly Source[]} sources
 * @typedef {object} Catalogue
 * @property {readonly EndpointEntry[]} endpoints
 * @property {readonly FunctionEntry[]} functions
 * @property {SeverityTable} severities
 * @property {readonly string[] | null} projects
 * @property {number} nowMicros
 */

/** What the editor completes from. @typedef {{ readonly sources: readonly Source[], readonly functions: readonly FunctionEntry[] }} Vocabulary */

/** Something that can be put in at the cursor. @typedef {object} Proposal
 * @property {string} label
 * @property {'keyword' | 'function' | 'class' | 'property' | 'variable' | 'constant'} type
 * @property {string} [detail]
 * @property {string} [info]
 * @property {number} [boost]
 * @property {string} [apply] The text that is put in, where it is not the label.
 */

/** Proposals for the text from `from` to the cursor. @typedef {{ readonly from: number, readonly options: readonly Proposal[] }} Proposals */

/** A column's type as a person reads it: `STRING`, `STRING[]`, `RECORD[]`. @param {ColumnSchema} column */
export function typeLabel({ type, mode }) {
  return mode === 'REPEATED' ? `${type}[]` : type;
}

/** The column of this name, case ignored as GoogleSQL does. @param {readonly ColumnSchema[]} columns @param {string} name */
export function findColumn(columns, name) {
  return columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
}

/** Every path below columns, parents in front of their children. @param {readonly ColumnSchema[]} columns @param {string} [prefix] @returns {readonly { readonly path: string, readonly column: ColumnSchema }[]} */
export function flattenPaths(columns, prefix = '') {
  return columns.flatMap((column) => {
    const path = prefix + column.name;
    return [{ path, column }, ...flattenPaths(column.fields ?? [], `${path}.`)];
  });
}
