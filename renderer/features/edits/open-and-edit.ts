import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';

/** Downloads an object and opens it with the system's program for its type. Shows errors as notices. */
export function openAndEdit(object: {
  readonly connectionId: string;
  readonly bucket: string;
  readonly key: string;
}): void {
  sayingFailure(() => rpc.edits.open(object));
}
