import { AppFailure } from '../../../../shared/errors.ts';
import type { Executor } from '../http/executor.ts';
import type { PropertyOperations } from '../model/property-types.ts';
import { versionQuery } from './attribute-headers.ts';
import { xmlRequest, escapeXml } from '../xml/render.ts';

/** Implements the requests for object tags (https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html). */
export function taggingOperations(
  executor: Executor,
): Pick<PropertyOperations, 'getObjectTags' | 'putObjectTags'> {
  return {
    async getObjectTags(ref, options) {
      try {
        return await executor.execute(
          {
            name: 'GetObjectTagging',
            method: 'GET',
            bucket: ref.bucket,
            key: ref.key,
            query: { ...versionQuery(ref), tagging: '' },
            effect: 'read',
            repeatable: 'always',
          },
          options,
          async (answer) =>
            // Ceph RGW sends an empty body for an object that was uploaded in parts and has no tags.
            ((await answer.xmlOrNothing('Tagging'))?.all('TagSet') ?? [])
              .flatMap((set) => set.all('Tag'))
              .map((tag) => ({ key: tag.child('Key') ?? '', value: tag.child('Value') ?? '' })),
        );
      } catch (thrown) {
        // Some servers respond with an error for an object without tags.
        if (thrown instanceof AppFailure && thrown.error.s3?.code === 'NoSuchTagSet') return [];
        throw thrown;
      }
    },

    async putObjectTags(input, options) {
      const tags = input.tags
        .map(({ key, value }) => `<Tag><Key>${escapeXml(key)}</Key><Value>${escapeXml(value)}</Value></Tag>`)
        .join('');
      const isRemoval = input.tags.length === 0 && input.asEmptySet !== true;
      await executor.execute(
        {
          name: isRemoval ? 'DeleteObjectTagging' : 'PutObjectTagging',
          method: isRemoval ? 'DELETE' : 'PUT',
          bucket: input.bucket,
          key: input.key,
          query: { ...versionQuery(input), tagging: '' },
          ...(isRemoval ? {} : xmlRequest('Tagging', `<TagSet>${tags}</TagSet>`)),
          effect: 'write',
          repeatable: 'always',
        },
        options,
        async (answer) => await answer.done(),
      );
    },
  };
}
