import type { Acl, CannedAcl, Grantee } from '../../../../shared/models/properties.ts';
import type { Grant, ObjectAcl } from './property-types.ts';

const everybody = 'http://acs.amazonaws.com/groups/global/AllUsers';
const anyAccount = 'http://acs.amazonaws.com/groups/global/AuthenticatedUsers';

/** Returns an ACL in the form in which the window shows it. */
export function aclOf({ owner, grants }: ObjectAcl): Acl {
  const ownerId = owner?.id ?? null;
  const shown = grants.map((grant) => ({
    grantee: granteeOf(grant, ownerId),
    permission: grant.permission,
  }));
  return { owner: owner?.displayName ?? ownerId, grants: shown, canned: cannedOf(shown) };
}

function granteeOf({ grantee }: Grant, ownerId: string | null): Grantee {
  switch (grantee.kind) {
    case 'group':
      if (grantee.uri === everybody) return { kind: 'everybody' };
      if (grantee.uri === anyAccount) return { kind: 'any-account' };
      return { kind: 'other', name: grantee.uri };
    case 'user':
      if (grantee.id === ownerId) return { kind: 'owner' };
      return { kind: 'other', name: grantee.displayName ?? grantee.id };
    case 'email':
      return { kind: 'other', name: grantee.address };
    default:
      return grantee satisfies never;
  }
}

/** The canned ACLs that their grants reveal. Those with grants to other accounts cannot be recognized. */
const known: Readonly<Record<string, CannedAcl>> = {
  '': 'private',
  'everybody READ': 'public-read',
  'everybody READ,everybody WRITE': 'public-read-write',
  'any-account READ': 'authenticated-read',
};

function cannedOf(grants: Acl['grants']): CannedAcl | null {
  const ofOwner = grants.filter(({ grantee }) => grantee.kind === 'owner');
  if (ofOwner.length !== 1 || ofOwner[0]?.permission !== 'FULL_CONTROL') return null;
  const others = grants
    .filter(({ grantee }) => grantee.kind !== 'owner')
    .map(({ grantee, permission }) => `${grantee.kind} ${permission}`)
    .toSorted();
  return known[others.join(',')] ?? null;
}
