/** Makes TypeScript check that a union is handled exhaustively. Throws if unvalidated data has another value at run time. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
