/**
 * Returns false for an event inside a menu or dialog that a component opened within the handler's element. React passes such events
 * up the component tree, although the portal's elements are elsewhere in the page.
 */
export function isEventInside(event: {
  readonly target: EventTarget | null;
  readonly currentTarget: { contains: (other: Node | null) => boolean };
}): boolean {
  return event.target instanceof Node && event.currentTarget.contains(event.target);
}
