/** Macros that read and write the sketches of sketches.ts. */
export const SKETCH_MACROS: readonly string[] = [
  `CREATE OR REPLACE MACRO gsql_hll_sketch(code, bits, hashes) AS
    unhex('484C4C01' || lpad(hex(code::UBIGINT), 2, '0') || lpad(hex(bits::UBIGINT), 2, '0')
      || array_to_string(list_transform(hashes, lambda h: lpad(hex(h::UBIGINT), 16, '0')), ''))`,
  `CREATE OR REPLACE MACRO gsql_hll_byte(b, place) AS TRY_CAST('0x' || substring(hex(b), place * 2 - 1, 2) AS BIGINT)`,
  `CREATE OR REPLACE MACRO gsql_hll_type(b) AS gsql_hll_byte(b, 5)`,
  `CREATE OR REPLACE MACRO gsql_hll_precision(b) AS gsql_hll_byte(b, 6)`,
  `CREATE OR REPLACE MACRO gsql_hll_hashes(b) AS
    list_transform(regexp_extract_all(substring(hex(b), 13), '.{16}'), lambda h: CAST('0x' || h AS UBIGINT))`,
  // Whether all are sketches, of one type.
  `CREATE OR REPLACE MACRO gsql_hll_are_alike(list) AS
    list_bool_and(list_transform(list, lambda b: octet_length(b) >= 14 AND octet_length(b) % 8 = 6
      AND starts_with(hex(b), '484C4C01') AND gsql_hll_type(b) = gsql_hll_type(list[1])
      AND gsql_hll_precision(b) BETWEEN 10 AND 24))`,
  `CREATE OR REPLACE MACRO gsql_hll_estimate(b) AS CASE
    WHEN (octet_length(b) - 6) // 8 < (1::BIGINT << gsql_hll_precision(b)) THEN (octet_length(b) - 6) // 8
    ELSE CAST(round(((1::BIGINT << gsql_hll_precision(b)) - 1)
      / (CAST('0x' || right(hex(b), 16) AS UBIGINT)::DOUBLE / 18446744073709551616)) AS BIGINT) END`,
];
