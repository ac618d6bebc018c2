/** Makes TypeScript check that a union is handled exhaustively. Throws if data from outside holds another value. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
