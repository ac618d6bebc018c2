/** Returns a copy of the text in separate memory. V8 keeps a whole page or message alive while a substring of it is referenced. */
export function detachedText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
