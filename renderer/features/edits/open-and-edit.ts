import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';

/** Fetches an object and opens it with the system's program for its kind. What fails is said. */
export function openAndEdit(object: {
  readonly connectionId: string;
  readonly bucket: string;
  readonly key: string;
}): void {
  sayingFailure(() => rpc.edits.open(object));
}
