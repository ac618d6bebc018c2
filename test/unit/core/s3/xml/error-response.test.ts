import { expect, test } from 'vitest';
import { regionIn } from '../../../../../electron/core/s3/xml/error-response.ts';

test.each([
  ['an element', 'garage', null, 'garage'],
  ['an element with an underscore', 'my_zone', null, 'my_zone'],
  ['an element with dots', 'dc1.local', null, 'dc1.local'],
  ['a message from AWS', null, "the region 'us-east-1' is wrong; expecting 'eu-central-1'", 'eu-central-1'],
  [
    'a message from Garage',
    null,
    "unexpected scope: expected '20260101/garage/s3/aws4_request', found '20260101/us-east-1/s3/aws4_request'",
    'garage',
  ],
  ['a message about something else', null, 'The key is unknown.', null],
  ['an element with an invalid name', 'a b', null, null],
])('the expected region is read from %s', (_, region, message, wanted) => {
  expect(regionIn({ region, message })).toBe(wanted);
});
