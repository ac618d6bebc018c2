interface Unattended {
  readonly jobId: string;
  readonly state: string;
  readonly why: string;
}

/**
 * The law of the queue at this moment: a job that is not at its end has an effect under way, or a timer that is set, or a
 * sentence that says what it waits for and a button that ends the wait. Gives a line for each job that breaks it. An engine
 * that cannot tell (`unattended` is not there) is held to nothing.
 */
export function lawIsBroken(
  engine: { unattended?: () => readonly Unattended[] } | object,
): readonly string[] {
  if (!('unattended' in engine) || engine.unattended === undefined) return [];
  return engine.unattended().map(({ jobId, state, why }) => `nothing will wake ${jobId} (${state}): ${why}`);
}
