import { expect, test } from 'vitest';
import { metadataOf, shownMetadata } from '../../../../../electron/core/s3/requests/attribute-headers.ts';
import { objectPropertiesSchema } from '../../../../../shared/models/properties.ts';

test('metadata named __proto__ is shown with its full header name and changes no prototype', () => {
  const metadata = metadataOf({ ['x-amz-meta-__proto__']: 'a', 'x-amz-meta-constructor': 'b' });
  const shown = shownMetadata(metadata);
  expect(Object.entries(shown)).toEqual([
    ['x-amz-meta-__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  const passed = objectPropertiesSchema.shape.metadata.parse(JSON.parse(JSON.stringify(shown)));
  expect(passed['x-amz-meta-__proto__']).toBe('a');
});
