/** Calls `work` for each input, at most `atOnce` at a time. Returns the results in the order of the inputs. */
export async function inParallel<In, Out>(
  inputs: readonly In[],
  atOnce: number,
  work: (input: In) => Promise<Out>,
): Promise<Out[]> {
  const results = new Map<number, Out>();
  const entries = inputs.entries();
  const worker = async (): Promise<void> => {
    // All workers share one iterator, so each input is processed once.
    for (const [at, input] of entries) results.set(at, await work(input));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, inputs.length) }, worker));
  return inputs.flatMap((_, at) => (results.has(at) ? [results.get(at) as Out] : []));
}
