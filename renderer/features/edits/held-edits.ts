let held: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string>): void {
  held = next;
  for (const listener of listeners) listener();
}

/** An editor of this window asks itself what is to become of this edit: no notice does. */
export function holdEdit(editId: string): void {
  set(new Set([...held, editId]));
}

export function releaseEdit(editId: string): void {
  set(new Set([...held].filter((one) => one !== editId)));
}

export function heldEdits(): ReadonlySet<string> {
  return held;
}

export function onHeldEdits(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
