import type { BucketSection } from '../../../../shared/models/bucket-settings.ts';

const roots: Readonly<Partial<Record<BucketSection, string>>> = {
  lifecycle: `<LifecycleConfiguration>
  <Rule>
    <ID>abort-incomplete-uploads</ID>
    <Filter><Prefix></Prefix></Filter>
    <Status>Enabled</Status>
    <AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload>
  </Rule>
</LifecycleConfiguration>
`,
  cors: `<CORSConfiguration>
  <CORSRule>
    <AllowedOrigin>https://example.com</AllowedOrigin>
    <AllowedMethod>GET</AllowedMethod>
  </CORSRule>
</CORSConfiguration>
`,
  tags: `<Tagging>
  <TagSet>
    <Tag><Key>name</Key><Value>value</Value></Tag>
  </TagSet>
</Tagging>
`,
  'public-access': `<PublicAccessBlockConfiguration>
  <BlockPublicAcls>true</BlockPublicAcls>
  <IgnorePublicAcls>true</IgnorePublicAcls>
  <BlockPublicPolicy>true</BlockPublicPolicy>
  <RestrictPublicBuckets>true</RestrictPublicBuckets>
</PublicAccessBlockConfiguration>
`,
  website: `<WebsiteConfiguration>
  <IndexDocument><Suffix>index.html</Suffix></IndexDocument>
  <ErrorDocument><Key>error.html</Key></ErrorDocument>
</WebsiteConfiguration>
`,
  logging: `<BucketLoggingStatus>
  <LoggingEnabled>
    <TargetBucket>the-bucket-for-logs</TargetBucket>
    <TargetPrefix>logs/</TargetPrefix>
  </LoggingEnabled>
</BucketLoggingStatus>
`,
  replication: `<ReplicationConfiguration>
  <Role>arn:aws:iam::123456789012:role/replication</Role>
  <Rule>
    <ID>copy-all</ID>
    <Priority>1</Priority>
    <Filter><Prefix></Prefix></Filter>
    <Status>Disabled</Status>
    <DeleteMarkerReplication><Status>Disabled</Status></DeleteMarkerReplication>
    <Destination><Bucket>arn:aws:s3:::the-other-bucket</Bucket></Destination>
  </Rule>
</ReplicationConfiguration>
`,
  notifications: `<NotificationConfiguration>
  <QueueConfiguration>
    <Id>new-objects</Id>
    <Queue>arn:aws:sqs:us-east-1:123456789012:the-queue</Queue>
    <Event>s3:ObjectCreated:*</Event>
  </QueueConfiguration>
</NotificationConfiguration>
`,
  'intelligent-tiering': `<ListBucketIntelligentTieringConfigurationsOutput>
  <IntelligentTieringConfiguration>
    <Id>archive-unread</Id>
    <Status>Disabled</Status>
    <Tiering><AccessTier>ARCHIVE_ACCESS</AccessTier><Days>90</Days></Tiering>
  </IntelligentTieringConfiguration>
</ListBucketIntelligentTieringConfigurationsOutput>
`,
  encryption: `<ServerSideEncryptionConfiguration>
  <Rule>
    <ApplyServerSideEncryptionByDefault>
      <SSEAlgorithm>AES256</SSEAlgorithm>
    </ApplyServerSideEncryptionByDefault>
  </Rule>
</ServerSideEncryptionConfiguration>
`,
};

/** Returns the initial text for an empty setting: a valid, harmless example. */
export function startText(section: BucketSection, bucket: string): string {
  if (section !== 'policy') return roots[section] ?? '';
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'OnlyOverTls',
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:*',
        Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ],
  };
  return `${JSON.stringify(policy, null, 2)}\n`;
}
