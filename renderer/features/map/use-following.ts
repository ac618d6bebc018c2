import { useEffect, useRef, useState } from 'react';

/**
 * Returns the latest response to requests that change faster than responses arrive. Sends one request at a time, then the most
 * recent one. `name` identifies a request. The previous response stays until a newer response arrives.
 */
export function useLatestResponse<T>(
  name: string | null,
  ask: () => Promise<T>,
): { readonly answer: T | null; readonly error: unknown } {
  const [state, setState] = useState<{ readonly answer: T | null; readonly error: unknown }>({
    answer: null,
    error: null,
  });
  const latest = useRef({ name, ask });
  const asking = useRef(false);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  useEffect(() => {
    latest.current = { name, ask };
    if (asking.current || name === null) return;
    asking.current = true;
    void (async () => {
      for (let asked: string | null = null; isMounted.current && latest.current.name !== asked;) {
        asked = latest.current.name;
        if (asked === null) break;
        try {
          const answer = await latest.current.ask();
          if (isMounted.current) setState({ answer, error: null });
        } catch (error) {
          if (isMounted.current) setState((before) => ({ ...before, error }));
        }
      }
      asking.current = false;
    })();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the name identifies the question
  }, [name]);
  return state;
}
