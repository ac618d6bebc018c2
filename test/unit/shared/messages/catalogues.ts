/** One sentence in all its plural forms. A sentence without plural forms has the form ''. */
export interface Family {
  readonly forms: ReadonlyMap<string, string>;
}

/** Returns all sentences of a catalogue with their paths, such as `objects.menu.open`. */
export function flatten(catalogue: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(catalogue).flatMap(([name, value]: [string, unknown]) => {
    const here = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'string') return [[here, value] as const];
    if (typeof value === 'object' && value !== null) return flatten(value, here);
    throw new Error(`${here} is neither a sentence nor a group of them.`);
  });
}

const pluralForm = /^(.*)_(zero|one|two|few|many|other)$/;

/** Groups the plural forms of each sentence. */
export function families(catalogue: object): ReadonlyMap<string, Family> {
  const found = new Map<string, Map<string, string>>();
  for (const [path, text] of flatten(catalogue)) {
    const [, name = path, form = ''] = pluralForm.exec(path) ?? [];
    const forms = found.get(name) ?? new Map<string, string>();
    found.set(name, forms.set(form, text));
  }
  return new Map([...found].map(([name, forms]) => [name, { forms }]));
}

/** Returns the placeholders of a text with their formats: `count, number`. */
export function placeholders(text: string): readonly string[] {
  const found = [...text.matchAll(/\{\{\s*(.*?)\s*\}\}/g)].map(([, inside = '']) => inside);
  return [...new Set(found)].toSorted();
}
