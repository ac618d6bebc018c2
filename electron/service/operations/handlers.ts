import type { Handler } from '../context.ts';
import type { Operation } from '../find-operation.ts';
import {
  deleteBucketTagging,
  getBucketTagging,
  putBucketTagging,
  deleteObjectTagging,
  getObjectTagging,
  putObjectTagging,
} from './tagging-operations.ts';
import { completeMultipartUpload } from './complete.ts';
import { copyObject, uploadPartCopy } from './copy.ts';
import { deleteObjects } from './delete-objects.ts';
import {
  deleteLifecycle,
  getLifecycle,
  putLifecycle,
  createBucket,
  deleteBucket,
  getBucketLocation,
  headBucket,
  listBuckets,
} from './bucket-operations.ts';
import { listObjects, listObjectsV2 } from './listing-operations.ts';
import { abortMultipartUpload, createMultipartUpload, uploadPart } from './multipart-operations.ts';
import { listMultipartUploads, listParts } from './multipart-listing.ts';
import { getObjectAttributes } from './object-attributes.ts';
import { deleteObject, getObject, headObject, putObject } from './object-operations.ts';
import { getBucketVersioning, listObjectVersions, putBucketVersioning } from './version-operations.ts';

export const handlers: Readonly<Record<Operation, Handler>> = {
  ListBuckets: listBuckets,
  CreateBucket: createBucket,
  DeleteBucket: deleteBucket,
  HeadBucket: headBucket,
  GetBucketLocation: getBucketLocation,
  GetBucketTagging: getBucketTagging,
  PutBucketTagging: putBucketTagging,
  DeleteBucketTagging: deleteBucketTagging,
  GetBucketVersioning: getBucketVersioning,
  PutBucketVersioning: putBucketVersioning,
  GetBucketLifecycleConfiguration: getLifecycle,
  PutBucketLifecycleConfiguration: putLifecycle,
  DeleteBucketLifecycle: deleteLifecycle,
  ListObjectVersions: listObjectVersions,
  ListObjects: listObjects,
  ListObjectsV2: listObjectsV2,
  GetObject: getObject,
  HeadObject: headObject,
  GetObjectAttributes: getObjectAttributes,
  GetObjectTagging: getObjectTagging,
  PutObjectTagging: putObjectTagging,
  DeleteObjectTagging: deleteObjectTagging,
  PutObject: putObject,
  CopyObject: copyObject,
  DeleteObject: deleteObject,
  DeleteObjects: deleteObjects,
  CreateMultipartUpload: createMultipartUpload,
  UploadPart: uploadPart,
  UploadPartCopy: uploadPartCopy,
  ListParts: listParts,
  ListMultipartUploads: listMultipartUploads,
  CompleteMultipartUpload: completeMultipartUpload,
  AbortMultipartUpload: abortMultipartUpload,
};
