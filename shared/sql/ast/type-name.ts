/** A type as a query writes it in CAST, ARRAY<…> or STRUCT<…>. */
export type TypeName =
  | { readonly kind: 'scalar'; readonly name: string; readonly at: number }
  | { readonly kind: 'array'; readonly element: TypeName; readonly at: number }
  | {
      readonly kind: 'struct';
      readonly fields: readonly { readonly name: string; readonly type: TypeName }[];
      readonly at: number;
    };
