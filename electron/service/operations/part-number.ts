import { serviceError } from '../service-errors.ts';
import { largestPartNumber } from '../store/object-store.ts';

/** Parses a `partNumber` parameter. Throws InvalidArgument unless it is a number from 1 to 10,000. */
export function partNumberIn(text: string): number {
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= largestPartNumber) return number;
  throw serviceError('InvalidArgument', {
    message: `Part number must be an integer between 1 and ${largestPartNumber}, inclusive`,
    elements: { ArgumentName: 'partNumber', ArgumentValue: text },
  });
}
