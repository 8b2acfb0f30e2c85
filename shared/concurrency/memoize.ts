/**
 * What belongs to an object: made when it is first asked for, and once. What making it throws is kept as well where it is a
 * promise. Kept as long as the object is.
 */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** The same for as long as `basis` answers the same object, which what is made depends on as well. */
export function memoizeOver<Key extends object, Value>(
  basis: () => object,
  make: (key: Key) => Value,
): (key: Key) => Value {
  let last: object | null = null;
  let made = memoize(make);
  return (key) => {
    const current = basis();
    if (current !== last) made = memoize(make);
    last = current;
    return made(key);
  };
}
