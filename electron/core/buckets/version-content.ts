import type { BucketContents } from '../../../shared/models/bucket-settings.ts';
import type { ListVersionsPage } from '../s3/model/property-types.ts';

/**
 * What the first page of a bucket's versions says of older versions and delete markers. A service lists the objects of
 * a bucket that was never versioned as their own only versions, so a listed version alone proves nothing.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html
 */
export function olderVersions(
  page: ListVersionsPage,
  status: 'enabled' | 'suspended' | 'never' | 'unknown',
): BucketContents['olderVersions'] {
  if (page.versions.some(({ isLatest, isDeleteMarker }) => isDeleteMarker || !isLatest)) return 'some';
  if (page.nextPageToken === null || status === 'never') return 'none';
  return 'possible';
}
