/** Returns the next name to try if a name is taken, such as `a (2).txt` for `a.txt`. */
export function numberedName(name: string, number: number): string {
  return markedName(name, String(number));
}

/** Returns `a (unverified).txt` for `a.txt`. In English for every language, since other people read the name too. */
export function unverifiedName(name: string): string {
  return markedName(name, 'unverified');
}

function markedName(name: string, mark: string): string {
  const slash = name.lastIndexOf('/');
  const dot = name.lastIndexOf('.');
  const at = dot > slash + 1 ? dot : name.length;
  return `${name.slice(0, at)} (${mark})${name.slice(at)}`;
}
