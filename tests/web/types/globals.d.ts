// What the page's scripts may do beyond the libraries' types.

/** The element of an id in index.html; any for an id that is put together; never for a wrong one. */
type ElementOf<K extends string> = K extends keyof PageElements ? PageElements[K] : {} extends Record<K, 1> ? any : never;

interface CSSStyleDeclaration {
  setProperty(property: string, value: number): void;
}
