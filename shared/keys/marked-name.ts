/** `a (2).txt` of `a.txt`: the next name to try where one is taken. */
export function numberedName(name: string, number: number): string {
  return markedName(name, String(number));
}

/** `a (unverified).txt` of `a.txt`, the same in every language: other programs and people read it too. */
export function unverifiedName(name: string): string {
  return markedName(name, 'unverified');
}

function markedName(name: string, mark: string): string {
  const slash = name.lastIndexOf('/');
  const dot = name.lastIndexOf('.');
  const at = dot > slash + 1 ? dot : name.length;
  return `${name.slice(0, at)} (${mark})${name.slice(at)}`;
}
