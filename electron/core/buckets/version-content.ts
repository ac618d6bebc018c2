import type { BucketContents } from '../../../shared/models/bucket-settings.ts';
import type { ListVersionsPage } from '../s3/model/property-types.ts';

/**
 * Returns whether the first page of a bucket's versions shows older versions or delete markers. A service lists the
 * objects of a never-versioned bucket as their only versions, so a listed version alone proves nothing.
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
