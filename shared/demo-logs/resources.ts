/** The tables of each project's database, the busiest first. */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
  demo: ['orders', 'products', 'customers', 'carts', 'inventory'],
  default: ['todos', 'profiles', 'messages', 'notes', 'rpc/search_notes'],
};

/** Objects in the bucket `avatars`; `{number}` stands for a made value here and below. */
export const IMAGES = ['avatar-{number}.png', 'team/photo%20{number}.png', 'logo.png'] as const;

/** Objects in the bucket `documents`. */
export const DOCUMENTS = ['invoice-{number}.pdf', 'r%C3%A9sum%C3%A9.pdf', 'terms/20{number}.pdf'] as const;
