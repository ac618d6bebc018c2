import { isWebAddress, parseAddress, type Address } from '../../../shared/keys/address.ts';
import { readServiceAddress, type ServiceAddress } from '../../../shared/providers/service-address.ts';

/** An address typed into the path: a bucket and a prefix, or the web address of an object. */
export type TypedAddress =
  | { readonly kind: 'place'; readonly address: Address }
  | { readonly kind: 'web'; readonly address: ServiceAddress };

/** Reads a typed path; returns null if it names no bucket and is no web address. */
export function readTyped(text: string): TypedAddress | null {
  if (isWebAddress(text)) {
    const address = readServiceAddress(text);
    return address === null ? null : { kind: 'web', address };
  }
  const address = parseAddress(text);
  return address === null ? null : { kind: 'place', address };
}
