/** Makes a union exhaustive at compile time, and loud at run time when data from outside breaks the promise. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
