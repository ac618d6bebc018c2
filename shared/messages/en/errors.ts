/** What failed, in one sentence, and what it means and what to do, in another. By code, and finer by reason. */
export const errors = {
  details: 'What the service said',
  hideDetails: 'Hide what the service said',
  copyDetails: 'Copy these details',
  fields: {
    code: 'Kind',
    reason: 'Reason',
    message: 'Message',
    serviceCode: 'Code of the service',
    serviceMessage: 'Message of the service',
    status: 'HTTP status',
    requestId: 'Request ID',
    expected: 'Expected',
    got: 'Received',
  },
  missingPermission: 'What is missing is the permission {{permission}}.',
  leadsTo: 'The address that it names is {{host}}.',
  retryAfter_one: 'The service asks you to wait {{count, number}} second.',
  retryAfter_other: 'The service asks you to wait {{count, number}} seconds.',
  retryIn_one: 'The service asked for a pause. Cooper tries again in {{count, number}} second.',
  retryIn_other: 'The service asked for a pause. Cooper tries again in {{count, number}} seconds.',
  waitOver: 'The pause that the service asked for is over.',
  codes: {
    'invalid-argument': {
      title: 'The service cannot work with this request',
      body: 'Nothing was changed. The details say what it did not like.',
    },
    cancelled: { title: 'This was stopped', body: 'Nothing was changed. You can start it again.' },
    unsupported: {
      title: 'This service cannot do that',
      body: 'Nothing was changed. Other parts of the service may still work.',
    },
    'access-denied': {
      title: 'You may not do this',
      body: 'The key of this connection lacks the permission. Ask the owner of the bucket to grant it, or use another key.',
    },
    'auth-expired': {
      title: 'Your keys have expired',
      body: 'Nothing was changed. Get new keys and put them into the connection, or sign in again with the tool that made them.',
    },
    'clock-skew': {
      title: 'The clock of this computer is wrong',
      body: 'Services refuse keys when the clocks differ by more than 15 minutes. Set date, time and time zone, then try again.',
    },
    'not-found': {
      title: 'It is not there',
      body: 'It may have been deleted or renamed since. Reload to see what is there now.',
    },
    conflict: {
      title: 'Something else came in between',
      body: 'Nothing was overwritten. Reload to see what is there now, then try again.',
    },
    'upload-gone': {
      title: 'This upload is no longer there',
      body: 'It was completed or removed by another program. Reload to see what is there now.',
    },
    'parts-rejected': {
      title: 'The service does not accept the parts',
      body: 'What is stored was not changed. Look at the parts again; the details say which one is wrong.',
    },
    network: {
      title: 'The service cannot be reached',
      body: 'Your data is not affected. Check your network (or VPN), then try again.',
    },
    timeout: {
      title: 'The service does not answer',
      body: 'Your data is not affected. It may be busy, or the network is slow: try again in a while.',
    },
    'rate-limited': {
      title: 'The service is busy and asks to slow down',
      body: 'Your data is not affected. Wait a little, then try again.',
    },
    server: {
      title: 'The service has trouble of its own',
      body: 'This is on the side of the service. Try again in a while; if it stays, give the request id to its support.',
    },
    protocol: {
      title: 'The answer cannot be understood',
      body: 'What answered does not speak S3 as it should. Check the endpoint of the connection; a proxy may have changed the answer.',
    },
    storage: {
      title: 'Cooper cannot use its data folder',
      body: 'Your buckets are not affected. Check that the disk of this computer is not full and that the folder may be written.',
    },
    damaged: {
      title: 'What came is not what the service describes',
      body: 'The object on the service was not changed, and no file was made of what came. Try again; if it stays so, a proxy damages it, or the stored object is damaged.',
    },
    disconnected: {
      title: 'The connection to Cooper was lost',
      body: 'It is being made again. What you see may be a little old until then.',
    },
    internal: {
      title: 'Something went wrong inside Cooper',
      body: 'Your data is not affected. Trying again may help; the details are useful for a report.',
    },
  },
  reasons: {
    'customer-key-needed': {
      title: 'A customer key is missing',
      body: 'This is encrypted with a key of your own that Cooper does not have for this connection, and nobody can read it without. Add the key under “Upload with options”, then try again.',
    },
    'customer-key-needs-tls': {
      title: 'A customer key is not sent without encryption',
      body: 'This needs a key of your own, and the connection is not encrypted (http), so anybody on the way could read the key. Nothing was sent. Make the endpoint of the connection an https:// address, then try again.',
    },
    'encryption-ignored': {
      title: 'The service did not encrypt it as asked',
      body: 'It was sent, and lies on the service without the encryption that you asked for. Delete it there if it must not be read, and upload without this option or to another service.',
    },
    'customer-key-invalid': {
      title: 'This is no customer key',
      body: 'A key is 32 bytes in Base64: 44 characters that end in “=”. Nothing was kept.',
    },
    'pattern-invalid': {
      title: 'This pattern cannot be read',
      body: 'Nothing was searched. The details say where it is wrong; to look for the characters themselves, search for a part of the name instead.',
    },
    'pattern-slow': {
      title: 'This pattern takes too long',
      body: 'The search was stopped; nothing was changed. Use a simpler one, without repetitions inside of repetitions, or a pattern with * and ?.',
    },
    'walk-gone': {
      title: 'The results are not there any more',
      body: 'Results are kept until they are closed or Cooper ends. Search again.',
    },
    'plan-gone': {
      title: 'This plan is not there any more',
      body: 'Plans are kept until they are closed or Cooper ends. Nothing was changed; make the plan again.',
    },
    'plan-incomplete': {
      title: 'The plan is not complete',
      body: 'Nothing was changed. Make the plan again and let it come to its end.',
    },
    'plan-ran': {
      title: 'This plan was carried out already',
      body: 'It is among the transfers. To go on, make a new plan.',
    },
    'count-differs': {
      title: 'Another number of deletions was agreed to',
      body: 'Nothing was changed. Look at the plan again, and type the number it says.',
    },
    'file-unwritable': {
      title: 'The file could not be written',
      body: 'Nothing was left behind, and a file that was there is as it was. Choose another folder, or look whether you may write there.',
    },
    'into-itself': {
      title: 'A folder cannot be moved into itself',
      body: 'Nothing was changed. Choose another folder as its target.',
    },
    'version-move': {
      title: 'A single version cannot be moved',
      body: 'Nothing was changed. Copy the version instead, then delete it.',
    },
    'outside-base': {
      title: 'This does not lie in the folder it was chosen in',
      body: 'It was not touched. Go to its folder and choose it there.',
    },
    'source-in-the-way': {
      title: 'Another object of the same move stands there',
      body: 'Nothing was overwritten. Once the others are moved the place is free: then try again.',
    },
    'copy-unverified': {
      title: 'The copy could not be proved to be right',
      body: 'The source was not touched. Look at what stands at the target, then try again.',
    },
    'results-gone': {
      title: 'What was downloaded is not there any more',
      body: 'It was moved, renamed or deleted since. Download it again if you need it.',
    },
    'bucket-not-empty': {
      title: 'Something is still in the bucket',
      body: 'Perhaps another program has put it there meanwhile, or there are incomplete uploads. The bucket was not deleted. Look into it, then delete it again.',
    },
    'acl-not-carried': {
      title: 'The permissions of the object could not be taken along',
      body: 'The service does not let this key set the permissions (ACL) that the object has, so the object stays where it is, unchanged. Use a key that may set them, or copy the object: a copy does without.',
    },
    'drop-no-space': {
      title: 'There is not enough space for a copy of this file',
      body: 'A browser does not tell where a dropped file lies, so Cooper keeps a copy of it in its data folder until the upload is finished. Make room on that disk, or choose the file instead: then it is not copied.',
    },
    'drop-wrong-size': {
      title: 'The file did not arrive whole',
      body: 'It may have changed while it was taken. Nothing of it was kept. Drop it again when no program writes to it.',
    },
    'drop-not-taken': {
      title: 'The file could not be taken',
      body: 'It may have been moved or changed, or Cooper has ended. Nothing of it was kept and nothing was sent. Drop it again, or choose it instead.',
    },
    'drop-ticket': {
      title: 'The file could not be taken',
      body: 'Too much time went by. Nothing of it was kept. Drop it again.',
    },
    'drop-too-many': {
      title: 'Too many files are being taken',
      body: 'Wait until some have arrived, then drop this one again.',
    },
    'drop-not-written': {
      title: 'The copy of the file could not be written',
      body: 'The disk of the data folder did not take it. Nothing was sent. Choose the file instead: then it is not copied.',
    },
    'drop-by-path': {
      title: 'The file could not be taken',
      body: 'Drop it again, or choose it instead.',
    },
    'drop-not-a-file': {
      title: 'This is not one file',
      body: 'Drop a single file from your file manager. Folders are offered through “Resume from a folder”.',
    },
    'drop-many': {
      title: 'That was more than one file',
      body: 'Drop one file. For several uploads at once, select them and resume from a folder.',
    },
    denied: {
      title: 'Access denied',
      body: 'The key of this connection may not do this. Ask the owner of the bucket to grant it, or use another key.',
    },
    'key-unknown': {
      title: 'The service does not know this access key',
      body: 'Check in the connection that the key was copied whole, that it still exists, and that it belongs to this provider.',
    },
    'secret-wrong': {
      title: 'The service does not accept this access key and secret',
      body: 'Nothing was changed. Most services mean that the secret does not belong to the key; some, such as OpenStack Swift, also answer this way when they do not know the key. Copy both again into the connection; a missing last character is the usual cause.',
    },
    'token-invalid': {
      title: 'The session token does not belong to this key',
      body: 'Copy key, secret and token again, from the same place.',
    },
    'token-expired': {
      title: 'The temporary keys have expired',
      body: 'Get new ones, and put key, secret and token into the connection.',
    },
    'account-problem': {
      title: 'The account has a problem',
      body: 'The service knows the key, but its account is suspended or not fully set up. Only the provider can help.',
    },
    'anonymous-refused': {
      title: 'This needs a key',
      body: 'Without a key only public buckets can be read. Put a key into the connection.',
    },
    'no-such-connection': {
      title: 'This connection is not there any more',
      body: 'It was removed, perhaps in another window. What lies in the buckets is not affected.',
    },
    'no-such-bucket': {
      title: 'This bucket does not exist',
      body: 'It was deleted, or its name is spelled differently. Capital letters count.',
    },
    'no-such-key': {
      title: 'This object is no longer there',
      body: 'It was deleted or renamed since the list was loaded. Reload the folder.',
    },
    'object-archived': {
      title: 'This object is in an archive',
      body: 'It has to be restored with the tools of the provider before it can be read. That can take hours and cost money.',
    },
    'region-mismatch': {
      title: 'The bucket lives in another region',
      body: 'Set the right region in the connection. The details name it where the service does.',
    },
    'key-too-long': {
      title: 'The name is too long',
      body: 'Keys have at most 1024 bytes in UTF-8. Nothing was changed.',
    },
    'listing-stuck': {
      title: 'The service repeats the same page',
      body: 'It does not say where the list goes on, so it was stopped. What is loaded so far is right.',
    },
    'cut-short': {
      title: 'The answer was cut off',
      body: 'The connection broke before everything had come. Nothing of it is shown; try again.',
    },
    html: {
      title: 'A web page answered, not a storage service',
      body: 'The endpoint is probably the address of a console or a website. Use the one for the S3 API.',
    },
    'unexpected-answer': {
      title: 'This does not seem to be a storage service',
      body: 'Something answers at the endpoint, but not in the language of S3. Check the endpoint of the connection.',
    },
    'redirect-refused': {
      title: 'The service sends us to another address',
      body: 'Cooper does not follow with your keys. If you trust that address, make it the endpoint of the connection.',
    },
    dns: {
      title: 'Nobody knows this server',
      body: 'Check the spelling of the endpoint, and that this computer is online (or in the right VPN).',
    },
    refused: {
      title: 'Nothing accepts connections there',
      body: 'The server is not running, or the port in the endpoint is wrong.',
    },
    unreachable: {
      title: 'There is no way to the server from here',
      body: 'Check that this computer is online, or in the right VPN.',
    },
    reset: {
      title: 'The connection broke',
      body: 'Your data is not affected. Try again; if it stays, a proxy or firewall may be in between.',
    },
    'connect-timeout': {
      title: 'Nothing answered in time',
      body: 'A firewall may be in between, or the port in the endpoint is wrong.',
    },
    'tls-untrusted': {
      title: 'The certificate is not trusted',
      body: 'If your organisation has its own certificate authority, add it to the connection. Otherwise somebody may be reading along: do not go on.',
    },
    'tls-hostname': {
      title: 'The certificate is for another name',
      body: 'Use the name in the certificate as the endpoint.',
    },
    'tls-expired': {
      title: 'The certificate is not valid today',
      body: 'It has expired, or is not valid yet; whoever runs the service has to renew it. Check the date of this computer too.',
    },
    'tls-protocol': {
      title: 'This port does not speak https',
      body: 'If it is a server of your own, the endpoint may begin with http:// or need another port.',
    },
    'proxy-auth': {
      title: 'The proxy wants a name and a password',
      body: 'Put them into its address in the connection: http://name:password@host:port.',
    },
    'proxy-failed': {
      title: 'The proxy did not let us through',
      body: 'Check its address in the connection, or connect without a proxy.',
    },
    'slow-down': {
      title: 'The service is busy and asks to slow down',
      body: 'Your data is not affected. Wait a little, then try again.',
    },
    'quota-exceeded': {
      title: 'The quota is used up',
      body: 'The service stores nothing more until space is freed or the quota is raised. What is stored is safe.',
    },
  },
} as const;
