/** The members that are there: a query parameter that was not given is null. */
export const given = <T extends object>(members: T): { readonly [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    readonly [K in keyof T]?: NonNullable<T[K]>;
  };
