import { isWebAddress, parseAddress, type Address } from '../../../shared/keys/s3-link.ts';
import { readServiceAddress, type ServiceAddress } from '../../../shared/providers/service-address.ts';

/** An address typed into the path: a bucket and a prefix, or the web address of an object. */
export type TypedAddress =
  | { readonly kind: 'place'; readonly address: Address }
  | { readonly kind: 'web'; readonly address: ServiceAddress };

/** Parses a typed path. Returns null if it is neither a web address nor contains a bucket's name. */
export function readTyped(text: string): TypedAddress | null {
  if (isWebAddress(text)) {
    const address = readServiceAddress(text);
    return address === null ? null : { kind: 'web', address };
  }
  const address = parseAddress(text);
  return address === null ? null : { kind: 'place', address };
}
