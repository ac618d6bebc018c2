/** The same text in memory of its own: V8 keeps all of a page as long as a text is kept that was cut out of it. */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
