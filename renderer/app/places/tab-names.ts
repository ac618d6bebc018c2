/** The name of a tab, and the names of its ancestors, innermost first. */
export interface TabTitle {
  readonly name: string;
  readonly above: readonly string[];
}

/**
 * Returns the names of tabs. Tabs with the same name also get the name of the nearest ancestor that differs. Two tabs for the
 * same location keep the same name.
 */
export function tabNames(titles: readonly TabTitle[]): readonly string[] {
  return titles.map((title) => {
    const { name, above } = title;
    const others = titles.filter((other) => other.name === name && !isSame(other, title));
    if (others.length === 0) return name;
    const depth = above.findIndex((part, at) => others.every((other) => other.above[at] !== part));
    const parent = above[depth === -1 ? 0 : depth];
    return parent === undefined ? name : `${name} — ${parent}`;
  });
}

function isSame(title: TabTitle, other: TabTitle): boolean {
  return title === other || JSON.stringify(title) === JSON.stringify(other);
}
