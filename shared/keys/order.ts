/** Compares keys in the order of the service's listings: by UTF-8 bytes, which differs from JavaScript's string order. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return weight(left) - weight(right);
  }
  return a.length - b.length;
}

/** Returns a rank of a code unit. Surrogates encode code points above U+FFFF, so they sort after all others. */
function weight(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800;
}
