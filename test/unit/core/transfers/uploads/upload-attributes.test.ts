import { expect, test } from 'vitest';
import {
  markerAttributes,
  uploadAttributes,
} from '../../../../../electron/core/transfers/uploads/upload-attributes.ts';
import { defaultUploadOptions, type Encryption } from '../../../../../shared/models/transfers.ts';

test("an upload without options gets only its type from the name and the file's time", () => {
  expect(uploadAttributes(defaultUploadOptions, 'a/photo.jpg', '1500000000250000000')).toEqual({
    isEncryptionChosen: true,
    contentType: 'image/jpeg',
    metadata: { mtime: '1500000000.25' },
  });
});

test('tags are sent as an encoded query string', () => {
  const tags = { 'a b': 'c&d=e', é: '' };
  expect(uploadAttributes({ ...defaultUploadOptions, tags }, 'k', '0').headers).toEqual({
    'x-amz-tagging': 'a%20b=c%26d%3De&%C3%A9=',
  });
});

const of = (encryption: Encryption) => markerAttributes({ ...defaultUploadOptions, encryption });

test('encryption options are sent as headers for the service, KMS and customer keys', () => {
  expect(of({ kind: 'service' }).headers).toEqual({ 'x-amz-server-side-encryption': 'AES256' });
  expect(of({ kind: 'kms', keyId: null }).headers).toEqual({ 'x-amz-server-side-encryption': 'aws:kms' });
  expect(of({ kind: 'kms', keyId: 'id' }).headers).toMatchObject({
    'x-amz-server-side-encryption-aws-kms-key-id': 'id',
  });
  // The client adds the customer key later, since the attributes contain only its digest.
  expect(of({ kind: 'customer', keyMd5: 'digest' })).toEqual({
    isEncryptionChosen: true,
    contentType: 'application/x-directory',
    customerKeyMd5: 'digest',
  });
});
