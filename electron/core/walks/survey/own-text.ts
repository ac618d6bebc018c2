/** The text in memory of its own. A part that was cut out of a text keeps all of it for as long as the part is kept. */
export function ownText(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}
