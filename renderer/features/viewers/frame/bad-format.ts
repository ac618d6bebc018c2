/** Thrown if the bytes violate the format. */
export class BadFormat extends Error {
  override readonly name = 'BadFormat';
}
