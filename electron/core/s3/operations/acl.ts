import type { Executor } from '../executor.ts';
import type { Grant, PropertyOperations } from '../property-types.ts';
import { readOwner } from '../xml/listing.ts';
import { textOrNull, type XmlElement } from '../xml/parse.ts';
import { versionQuery } from './attributes.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html */
export function aclOperations(executor: Executor): Pick<PropertyOperations, 'getObjectAcl' | 'putObjectAcl'> {
  return {
    async getObjectAcl(ref, options) {
      return await executor.execute(
        {
          name: 'GetObjectAcl',
          method: 'GET',
          bucket: ref.bucket,
          key: ref.key,
          query: { ...versionQuery(ref), acl: '' },
          effect: 'read',
          repeatable: 'always',
        },
        options,
        async (answer) => {
          const root = await answer.xml('AccessControlPolicy');
          return {
            owner: readOwner(root.first('Owner')),
            grants: root
              .all('AccessControlList')
              .flatMap((list) => list.all('Grant'))
              .flatMap(readGrant),
          };
        },
      );
    },

    async putObjectAcl(input, options) {
      await executor.execute(
        {
          name: 'PutObjectAcl',
          method: 'PUT',
          bucket: input.bucket,
          key: input.key,
          query: { ...versionQuery(input), acl: '' },
          headers: { 'x-amz-acl': input.canned },
          effect: 'write',
          repeatable: 'always',
        },
        options,
        async (answer) => await answer.done(),
      );
    },
  };
}

/** The kind of a grantee stands in an attribute, and its children tell it as well. */
function readGrant(entry: XmlElement): readonly Grant[] {
  const grantee = entry.first('Grantee');
  const permission = entry.child('Permission');
  if (grantee === null || permission === null) return [];
  const uri = textOrNull(grantee.child('URI'));
  if (uri !== null) return [{ grantee: { kind: 'group', uri }, permission }];
  const id = textOrNull(grantee.child('ID'));
  if (id !== null) {
    const displayName = textOrNull(grantee.child('DisplayName'));
    return [{ grantee: { kind: 'user', id, displayName }, permission }];
  }
  const address = textOrNull(grantee.child('EmailAddress'));
  return address === null ? [] : [{ grantee: { kind: 'email', address }, permission }];
}
