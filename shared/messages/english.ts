// Written by `npm run messages` from shared/messages/en. Change the texts there.

/** The texts of the window, in English. */
export interface EnglishMessages {
  batches: {
    title: 'Batch job on AWS';
    chosen_one: 'For {{number}} object of {{bucket}}.';
    chosen_other: 'For {{number}} objects of {{bucket}}.';
    chosenFolders: 'For what you selected in {{bucket}}, with everything below the selected folders.';
    what: 'Cooper uploads a list of the keys, a manifest. AWS (S3 Batch Operations) then works through it by itself, also while Cooper is closed.';
    operation: 'Operation';
    kinds: { tag: 'Set tags'; copy: 'Copy'; restore: 'Restore'; expire: 'Delete by tag' };
    effects: {
      tag: 'The new tags replace all tags that an object has. This cannot be undone: Cooper does not keep the old tags.';
      copy: 'A copy replaces the object that has the same key in the target, unless that bucket keeps versions. AWS copies objects of up to 5 GB; larger ones fail and are named in the report. With a prefix, each key is put behind it with a “/”.';
      restore: 'AWS makes readable copies of archived objects for some days. The archived objects stay. Retrieval and the copies are billed. Objects that are not archived fail and are named in the report.';
    };
    tags: 'Tags';
    tagsHint: 'One tag on each line, as name=value. An object has at most 10.';
    targetBucket: 'Target bucket';
    targetPrefix: 'Prefix in the target';
    noPrefix: 'none';
    storageClass: 'Storage class';
    sameClass: 'As the original';
    days: 'Days';
    tier: 'Speed';
    tiers: { BULK: 'Bulk, the cheapest'; STANDARD: 'Standard, faster' };
    accountId: 'AWS account ID';
    accountIdHint: '12 digits, of the account that owns the job.';
    priority: 'Priority';
    priorityHint: 'Jobs with a higher number run first.';
    roleArn: 'IAM role (ARN)';
    roleArnHint: 'AWS works with this role. It must be trusted by batchoperations.s3.amazonaws.com, and your key needs iam:PassRole for it.';
    manifestBucket: 'Manifest bucket';
    manifestKey: 'Manifest key';
    reportBucket: 'Report bucket';
    reportPrefix: 'Report prefix';
    reportScope: 'Report on';
    scopes: { all: 'all objects'; failed: 'failed objects only' };
    asksFirst: 'Ask again before anything is changed';
    asksFirstHint: 'AWS reads the manifest, and the job then waits in Transfers until you run it.';
    cost: {
      known: 'AWS bills {{amount}} for this job.';
      rates: 'AWS bills {{job}} for the job and {{million}} for every 1,000,000 objects in it.';
      unknown: 'Cooper knows no price of a batch job here. Enter yours in the price list.';
      besides: 'The requests, the storage and the retrieval that the operation needs are billed besides.';
      prices: 'Prices…';
    };
    untried: 'Cooper’s batch jobs have been tested against a reconstruction of the AWS API, not on AWS itself.';
    typeWord: 'To delete these objects by a tag, type {{word}}';
    writing: 'Writing the list of keys…';
    submit: 'Create the job';
    submitExpire: 'Tag for deletion';
    expire: {
      title: 'AWS will delete these objects';
      how: 'S3 Batch Operations cannot delete. The job gives each object the tag below, in place of all its tags, and a lifecycle rule of the bucket deletes whatever has the tag. AWS runs lifecycle rules about once a day. Until then you can save an object by removing the tag.';
      keeps: {
        nothing: 'This bucket keeps no versions: what the rule deletes cannot be restored.';
        versions: 'This bucket keeps versions: the rule adds delete markers, and the versions below them stay and are billed.';
        unknown: 'Cooper could not find out whether this bucket keeps versions. If it does not, what the rule deletes cannot be restored.';
      };
      key: 'Tag name';
      value: 'Tag value';
      days: 'Delete after, in days';
      looking: 'Looking for the lifecycle rule…';
      there: 'The bucket has a lifecycle rule for this tag. AWS will delete the tagged objects.';
      absent: 'The bucket has no lifecycle rule for this tag yet. Without one, the objects are tagged and stay.';
      unknown: 'Cooper could not read the lifecycle rules of this bucket. Check them in the bucket settings.';
      rule_one: 'Delete objects with the tag {{tag}} {{days}} day after they were created';
      rule_other: 'Delete objects with the tag {{tag}} {{days}} days after they were created';
      add: 'Add this rule to {{bucket}}';
    };
    problems: {
      missing: 'Fill in this field.';
      account: 'An account ID has 12 digits.';
      role: 'An ARN of a role looks like arn:aws:iam::123456789012:role/name.';
      bucket: 'This cannot be the name of a bucket.';
      tags: 'Write one tag on each line, as name=value. Letters, digits, spaces and _ . : / = + - @ are allowed, each name once, at most 10 tags.';
      tag: 'A tag has letters, digits, spaces and _ . : / = + - @; the name up to 128, the value up to 256 characters.';
      days: 'Type a whole number from 1 to 36,500.';
      priority: 'Type a whole number from 0 on.';
      prefix: 'A prefix has at most 512 characters.';
      'onto-itself': 'A copy onto itself changes nothing. Choose another bucket, a prefix or a storage class.';
      'too-long': 'A key has at most 1024 bytes.';
    };
    tagsExample: 'project=archive';
    roleExample: 'arn:aws:iam::123456789012:role/name';
  };
  bookmarks: {
    title: 'Bookmarks';
    none: 'No bookmarks yet. Press {{keys}} in a folder.';
    loading: 'Loading bookmarks…';
    open: 'Open';
    rename: 'Rename…';
    remove: 'Remove';
    moveUp: 'Move up';
    moveDown: 'Move down';
    copyPath: 'Copy path';
    renameTitle: 'Rename the bookmark';
    name: 'Name';
    nameMissing: 'Give the bookmark a name.';
    save: 'Save';
    cancel: 'Cancel';
    moved: '{{name}} is now number {{position}} of {{count}}.';
    orphan: 'Its connection was removed.';
    actionFailed: 'The bookmark could not be changed';
  };
  buckets: {
    create: {
      title: 'New bucket';
      connection: 'Connection';
      name: 'Name';
      nameHint: '3 to 63 lower-case letters, digits and hyphens. You cannot change it later.';
      region: 'Region';
      regionHint: 'Where the data is stored. Leave empty for the service’s default.';
      regionPlaceholder: 'service default';
      objectLock: 'Object lock';
      objectLockHint: 'Lets you protect objects from deletion for a time. You can only choose it now, and it turns versioning on permanently.';
      dots: 'With a dot in its name, the bucket cannot be reached at an https:// address that starts with it.';
      submit: 'Create bucket';
      done: 'Created the bucket “{{name}}”';
      taken: 'The name “{{name}}” is taken. Many services share names among all customers: try another one, for example with your company’s name.';
      yours: 'You already have a bucket “{{name}}” in this connection. Nothing has changed.';
      unclear: 'The service’s answer was lost, so Cooper does not know whether the bucket exists. Reload the list of buckets.';
      problems: {
        'too-short': 'Use at least 3 characters.';
        'too-long': 'Use at most 63 characters.';
        characters: 'Use only letters from a to z, digits, hyphens and dots.';
        'upper-case': 'Use only lower-case letters.';
        edges: 'Start and end with a letter or a digit.';
        dots: 'Put a letter or a digit on both sides of a dot.';
        ip: 'The name must not look like an IP address.';
        'reserved-prefix': 'The service reserves these beginnings: xn--, sthree-, amzn-s3-demo-.';
        'reserved-suffix': 'The service reserves these endings: -s3alias, --ol-s3, .mrap, --x-s3.';
      };
    };
    remove: {
      title: 'Delete bucket “{{name}}”';
      looking: 'Checking the bucket…';
      empty: 'The bucket is empty. Cooper deletes it with all of its settings. Others may then take its name.';
      hasContent: 'This bucket is not empty. Cooper deletes everything in it, and nothing can be restored.';
      objects: 'Objects';
      objectsSoFar: '{{shown}}, {{size}} so far';
      objectsAll: '{{shown}}, {{size}}';
      counting: 'Counting…';
      countFailed: 'Cooper could not count them.';
      stopCounting: 'Stop counting';
      versions: 'Older versions and delete markers';
      olderVersions: {
        some: 'Yes. They are deleted too.';
        possible: 'Possibly, because the bucket keeps versions. They are deleted too.';
        none: 'None';
        unknown: 'Not reported by the service';
      };
      uploads: 'Incomplete uploads';
      uploadsUnknown: 'Not reported by the service';
      uploadsMore: '{{count}} or more';
      uploadsLost: 'The service does not report whether there are incomplete uploads. If there are, it may delete them with the bucket, and their parts are lost.';
      abort_one: 'Also abort the incomplete upload. Its parts are lost.';
      abort_other: 'Also abort the incomplete uploads ({{shown}}). Their parts are lost.';
      abortHint: 'Some services, including the sample buckets, delete incomplete uploads with the bucket; others refuse while there are any.';
      type: 'Type the bucket’s name to confirm';
      submitEmpty: 'Delete bucket';
      submit: 'Delete everything';
      emptying: 'Cooper is deleting everything in the bucket. You can follow and stop it under Transfers.';
      emptyingProgress: '{{done}} of {{total}} deleted';
      closing: 'If you close this, the deletion continues and ends with the bucket itself.';
      stopped: 'The deletion did not finish, so the bucket still exists. Transfers shows what is left.';
      aborting: 'Aborting the incomplete uploads…';
      removing: 'Deleting the bucket…';
      notEmpty: 'Something is still in the bucket. Another program may have added it. Nothing more was deleted.';
      refusedUploads_one: 'Cooper could not abort {{count}} incomplete upload.';
      refusedUploads_other: 'Cooper could not abort {{count}} incomplete uploads.';
      showTransfers: 'Show Transfers';
      again: 'Check again';
      done: 'Deleted the bucket “{{name}}”';
    };
    settings: {
      title: 'Settings of “{{name}}”';
      sections: 'Settings';
      section: 'Section';
      reload: 'Reload';
      loading: 'Reading…';
      unsupported: 'Not supported by this service';
      unsupportedBody: 'Everything else works without this setting.';
      denied: 'Your key has no permission to see this';
      formTab: 'Form';
      editorTab: 'Editor';
      editorLabel: '{{section}} as {{format}}';
      formCannot: 'The form does not cover everything in here. Use the editor.';
      foreignRule: 'The form does not cover all of this rule. Cooper keeps it as it is; change it in the editor.';
      review: 'Review changes…';
      check: 'Check';
      noChange: 'No changes yet.';
      clear: 'Remove configuration…';
      add: 'Add configuration';
      absent: 'None yet.';
      line: 'Line {{line}}';
      fine: 'No problems found.';
      problems: 'Problems';
      saved: 'Saved';
      savedBody: '{{section}} of “{{name}}”';
      cleared: 'Removed';
      discard: 'Discard changes';
      leave: 'You have not saved your changes.';
      leaveStay: 'Keep editing';
      problem: {
        xml: 'This is not well-formed XML: {{detail}}';
        json: 'This is not well-formed JSON: {{detail}}';
        'wrong-root': 'The root element must be <{{detail}}>.';
        'unknown-element': 'Unknown element <{{detail}}>. The service may reject it.';
        'missing-element': '<{{detail}}> is missing.';
        'wrong-value': 'Use one of these: {{detail}}';
        'no-action': 'This rule has no action.';
        'no-rules': 'There is no <{{detail}}>. To have none, remove the configuration.';
        'duplicate-key': '“{{detail}}” occurs twice.';
        'unknown-key': 'Unknown key “{{detail}}”. The service may reject it.';
        'missing-key': '“{{detail}}” is missing.';
        'wrong-type': '“{{detail}}” has the wrong type.';
        'empty-statement': 'It has no statement.';
        'other-bucket': 'This names another bucket, “{{detail}}”.';
        'too-large': 'It is larger than {{detail}}, and most services reject that.';
      };
      save: {
        title: 'Save this change?';
        before: 'Current';
        after: 'New';
        details: 'Details';
        same: 'No changes.';
        submit: 'Save';
        back: 'Back';
        clearTitle: 'Remove this configuration?';
        clearBody: 'The bucket then has none. You lose the lines below.';
        clear: 'Remove';
        changedTitle: 'Someone else has changed it';
        changedBody: 'Nothing was saved. Below is your change applied to the current version.';
        takeTheirs: 'Use the current version';
        saveOver: 'Save mine anyway';
        unclear: 'The service’s answer was lost, so Cooper does not know whether this was saved. Reload to see the current version.';
      };
      names: {
        versioning: 'Versioning';
        lifecycle: 'Lifecycle';
        cors: 'CORS';
        policy: 'Policy';
        tags: 'Tags';
        'public-access': 'Public access block';
        access: 'Access list (ACL)';
        ownership: 'Ownership';
        encryption: 'Default encryption';
        payment: 'Requester pays';
        'object-lock': 'Object lock';
        inventory: 'Inventory';
      };
      about: {
        versioning: 'Whether the service keeps overwritten and deleted objects.';
        lifecycle: 'What the service deletes or moves by itself after a number of days.';
        cors: 'Which websites can use the bucket from a browser.';
        policy: 'Who can do what with the bucket, as a document.';
        tags: 'Names and values for billing and for finding buckets.';
        'public-access': 'Four switches that override public policies and access lists.';
        access: 'Who can do what. Read-only: policies have replaced access lists.';
        ownership: 'Who owns the objects that others upload. Read-only.';
        encryption: 'How the service encrypts uploads by default.';
        payment: 'Who pays for requests and downloads.';
        'object-lock': 'How long new objects are protected from deletion. Read-only.';
        inventory: 'Lists of all objects that the service makes daily or weekly, for buckets too large to list.';
      };
      restored: 'Restored';
    };
    versioning: {
      willBe: {
        enabled: 'Versioning will be turned on. The service then keeps the older versions of overwritten and deleted objects until you delete them. Older versions cost storage.';
        suspended: 'Versioning will be suspended. Existing versions stay, and the service keeps no new ones.';
      };
      off: 'Off';
      offHint: 'Overwritten and deleted objects are lost. A bucket that has had versions cannot return to this.';
      enabled: 'Enabled';
      enabledHint: 'The service keeps older versions until you delete them. They cost storage; a lifecycle rule can delete old ones.';
      suspended: 'Suspended';
      suspendedHint: 'Existing versions stay; the service keeps no new ones.';
      mfa: 'Deleting versions needs a code from the owner’s device (MFA delete).';
    };
    lifecycle: {
      oneClick: 'Abort incomplete uploads after';
      days: 'days';
      oneClickAdd: 'Add rule';
      oneClickHint: 'The parts of unfinished uploads cost storage and are not listed as objects.';
      add: 'Add a rule';
      remove: 'Remove rule {{number}}';
      rule: 'Rule {{number}}';
      none: 'No rules: the service deletes and moves nothing by itself.';
      id: 'Name';
      enabled: 'On';
      prefix: 'Keys that start with';
      prefixHint: 'Leave empty for the whole bucket';
      expire: 'Delete objects after';
      noncurrent: 'Delete older versions after';
      abort: 'Abort incomplete uploads after';
      markers: 'Remove delete markers without older versions';
      transition: 'Move to storage class after';
      storageClass: 'Storage class';
      never: 'never';
      noAction: 'Choose at least one action for this rule.';
      warning: 'This rule deletes objects by itself. Without versioning they cannot be restored.';
    };
    cors: {
      add: 'Add a rule';
      remove: 'Remove rule {{number}}';
      rule: 'Rule {{number}}';
      none: 'No rules: other websites cannot use this bucket.';
      origins: 'Origins';
      originsHint: 'One per line: https://example.com, or * for all';
      methods: 'Methods';
      headers: 'Request headers';
      headersHint: 'One per line, or *';
      expose: 'Response headers that websites can read';
      maxAge: 'Browsers cache this for (seconds)';
      incomplete: 'A rule needs at least one origin and one method.';
    };
    policy: {
      public: 'Public: this policy gives everyone access.';
      conditional: 'Partly public: this policy gives everyone access under a condition.';
      private: 'This policy does not make the bucket public.';
      block: 'A public access block may still prevent it.';
    };
    tags: {
      key: 'Name';
      value: 'Value';
      add: 'Add a tag';
      remove: 'Remove tag {{number}}';
      none: 'No tags';
      twice: 'This name occurs twice.';
      empty: 'A tag needs a name.';
    };
    publicAccess: {
      blockPublicAcls: 'Reject new public access lists';
      ignorePublicAcls: 'Ignore existing public access lists';
      blockPublicPolicy: 'Reject new public policies';
      restrictPublicBuckets: 'Limit public policies to the owner’s account';
      all: 'Public access is blocked';
      some: 'Not everything is blocked: policies and access lists can make this bucket public.';
    };
    access: {
      owner: 'Owner';
      who: 'Who';
      may: 'May';
      public: 'public';
      none: 'The list is empty.';
      isPublic: 'This list gives everyone access.';
    };
    ownership: {
      rule: 'Rule';
      BucketOwnerEnforced: 'The bucket owner owns all objects; access lists are off.';
      BucketOwnerPreferred: 'The bucket owner owns objects if the uploader agrees.';
      ObjectWriter: 'The uploader owns the objects.';
      none: 'Not reported by the service';
    };
    encryption: {
      algorithm: 'Encryption';
      sse: 'Service keys (SSE-S3)';
      kms: 'Key management service (SSE-KMS)';
      dsse: 'Key management service, two layers (DSSE-KMS)';
      keyId: 'Key';
      keyHint: 'ID or ARN. Leave empty for the service’s default key.';
      bucketKey: 'Use a bucket key, to make fewer requests to the key management service';
    };
    payment: {
      owner: 'The bucket owner pays';
      requester: 'The requester pays';
      requesterHint: 'The service then rejects anonymous requests, and programs have to accept the cost.';
    };
    objectLock: {
      enabled: 'Object lock is on.';
      disabled: 'Object lock is off. You can only turn it on when you create a bucket.';
      rule: 'New objects are protected for {{time}}, in {{mode}} mode.';
      noRule: 'New objects are not protected by default.';
      days_one: '{{count}} day';
      days_other: '{{count}} days';
      years_one: '{{count}} year';
      years_other: '{{count}} years';
    };
    inventory: {
      none: 'No reports: the service does not list this bucket by itself.';
      report: 'Report {{number}}';
      remove: 'Remove report {{number}}';
      add: 'Add a report';
      id: 'Name';
      prefix: 'Keys that start with';
      prefixHint: 'Leave empty for the whole bucket';
      destinationBucket: 'Deliver to bucket';
      destinationHint: 'In the same region. Its policy has to let the service write there.';
      destinationPrefix: 'Below';
      destinationPrefixHint: 'Without a slash at the end';
      accountId: 'Owner’s account';
      accountHint: '12 digits, optional';
      format: 'Format';
      frequency: 'How often';
      frequencies: { Daily: 'Daily'; Weekly: 'Weekly' };
      orc: 'Cooper cannot read reports in ORC. Choose CSV or Parquet.';
      allVersions: 'Include older versions and delete markers';
      encrypted: 'Encrypt with service keys (SSE-S3)';
      fields_one: 'Fields ({{count}} chosen)';
      fields_other: 'Fields ({{count}} chosen)';
      noSize: 'Without the field Size, Cooper cannot make a map of the report.';
      incomplete: 'A report needs a bucket and a name of letters, digits, dots, hyphens and underscores.';
      twice: 'Two reports have the same name.';
      reports: 'Delivered reports';
      deliveredTo: '{{id}} → {{bucket}}/{{prefix}}';
      find: 'Find reports';
      findOf: 'Find reports of {{id}}';
      noReports: 'No reports yet. The first one can take up to 48 hours.';
      openReport: 'Open the report of {{time}}…';
    };
    differs: {
      save: {
        title: 'The service stored something else';
        body: 'Cooper read the configuration back after the save. Below is what was sent (−) and what the service has now (+).';
      };
      restore: {
        title: 'The service did not restore everything';
        body: 'Cooper sent the previous configuration again and read it back. Below is what was sent (−) and what the service has now (+).';
      };
      unread: {
        title: 'Sent, but not confirmed';
        body: 'The service accepted the change. Cooper could not read the configuration back, so it does not know what is stored.';
      };
      unnamed: 'No. {{position}}';
      changed: {
        yours: '“{{name}}” is stored differently from your change.';
        other: '“{{name}}” has changed, although your change was not about it.';
      };
      missing: {
        yours: '“{{name}}” was not stored.';
        other: '“{{name}}” is gone, although your change was not about it.';
      };
      extra: '“{{name}}” is stored, although it was not part of what you saved.';
      keep: 'Keep what is stored';
      restoreButton: 'Restore previous configuration';
    };
  };
  common: {
    appName: 'Cooper';
    retry: 'Try again';
    tryNow: 'Try now';
    cancel: 'Cancel';
    close: 'Close';
    stop: 'Stop';
    copy: 'Copy';
    copied: 'Copied';
    copyFailed: 'The clipboard could not be used.';
    details: 'Details';
    loading: 'Loading…';
    more: 'More';
    unknown: 'Unknown';
    none: 'None';
    setAside: {
      database: 'Cooper started with a new database';
      databaseWhere: 'The old database was damaged. Cooper kept it as {{where}}. Add your connections and bookmarks again. Nothing in your buckets has changed.';
      file: 'Cooper could not read one of its files';
      fileWhere: 'Cooper kept it as {{where}} and made a new one. Nothing in your buckets has changed, and you do not need to do anything.';
      edit: 'An edited file was not uploaded';
      editWhere: 'Cooper cannot tell which object the file in {{where}} belongs to. It may hold changes that are not in your bucket. Compare it with the object, and upload it if it is newer.';
      record: 'Cooper could not read a stored entry';
      recordWhere: 'One of your {{where}} was damaged, and Cooper set it aside. The others are unchanged.';
    };
    olderData: {
      title: 'Cooper found older data';
      found: 'The data folder has {{connections}} and {{transfers}}.';
      expected: 'When Cooper last saved it, it had {{connections}} and {{transfers}}. Cooper has paused all unfinished transfers. Nothing in your buckets has changed.';
      connections_one: '{{count, number}} connection';
      connections_other: '{{count, number}} connections';
      transfers_one: '{{count, number}} transfer';
      transfers_other: '{{count, number}} transfers';
      backup: 'Cooper has a backup of {{day}}.';
      noBackup: 'Cooper has no backup yet. If you have copied the data folder, quit Cooper and restore the copy.';
      restore: 'Restore the backup of {{day}}';
      chosen: 'Cooper restores the backup of {{day}} at its next start';
      restart: 'Quit Cooper and start it again. It keeps the present database beside the restored one.';
      notChosen: 'The backup was not chosen';
    };
    restored: {
      title: 'Restored the backup of {{day}}';
      body: 'Transfers that were unfinished then are paused. Check them before you resume them.';
      bodyKept: 'Transfers that were unfinished then are paused. Check them before you resume them. Cooper kept the database before it as {{where}}.';
      failed: 'The backup of {{day}} was not restored';
      unchanged: 'The database is unchanged. {{detail}}';
    };
    trouble: {
      title: 'Something went wrong in Cooper';
      body: 'Cooper keeps running, and your work is kept. The log in the data folder has the details. If Cooper behaves oddly, quit it and start it again.';
    };
    connection: {
      connecting: 'Connecting to Cooper…';
      lost: 'Connection to Cooper lost. Reconnecting…';
      lostLong: 'Cooper does not respond. If you quit it, start it again and open the address it prints. This window continues when Cooper is back.';
      tryNow: 'Try now';
      restored: 'Reconnected';
    };
    needsCode: {
      title: 'This window needs a new address';
      body: 'Cooper opens only from the address it prints when it starts. Each address works once, in one tab.';
      steps: 'Go to the terminal where Cooper runs and press Enter, or run npm start once more: it prints a new address. Open that address here.';
      reasons: {
        none: 'This address has no code.';
        used: 'The code in this address has already been used.';
        expired: 'The code in this address has expired.';
        unknown: 'Cooper has restarted since it printed this address.';
        'too-many-tries': 'Too many wrong codes were entered. Wait a minute, then use a new address.';
        restarted: 'Cooper has restarted since you opened this tab.';
      };
    };
    shell: {
      sidebar: 'Places';
      showSidebar: 'Show the sidebar';
      hideSidebar: 'Hide the sidebar';
      mainArea: 'Content';
      tabs: 'Tabs';
      newTab: 'New tab';
      closeTab: 'Close tab {{name}}';
      toolbar: 'Navigation';
      back: 'Back';
      forward: 'Forward';
      up: 'Up one folder';
      reload: 'Reload';
      details: 'Details pane';
      showDetails: 'Show details';
      hideDetails: 'Hide details';
      requestLog: 'Request log';
      hideRequestLog: 'Hide the request log';
      settings: 'Settings';
      palette: 'Commands';
      resizeSidebar: 'Width of the sidebar';
      resizeDetails: 'Width of the details pane';
      resizeLog: 'Height of the request log';
      start: 'Start';
      statusBar: 'Status';
      bookmark: 'Bookmark this folder';
      removeBookmark: 'Remove the bookmark';
      skipToContent: 'Skip to the list';
      crashed: 'Something went wrong in this window';
      crashedBody: 'Your data is not affected. Reloading the window usually helps.';
      reloadWindow: 'Reload the window';
    };
    discard: {
      title: 'Discard your changes?';
      body: 'You have not saved them.';
      confirm: 'Discard changes';
      cancel: 'Keep editing';
    };
    palette: {
      uploadFiles: 'Upload files';
      uploadFolder: 'Upload a folder';
      uploadWithOptions: 'Upload with options…';
      download: 'Download the selection, or the folder';
      properties: 'Properties of the selection…';
      objectVersions: 'Versions of the selected object…';
      link: 'Create a link to the selected object…';
      viewMap: 'Map: what takes the space';
      versions: 'Show or hide versions and delete markers';
      placeholder: 'Type a command or the name of a place';
      nothing: 'No matching command or place.';
      groups: {
        commands: 'Commands';
        connections: 'Connections';
        buckets: 'Buckets';
        bookmarks: 'Bookmarks';
        recent: 'Recent folders';
        here: 'In this folder';
      };
      newConnection: 'New connection…';
      goTo: 'Go to an address…';
      newTab: 'New tab';
      closeTab: 'Close this tab';
      back: 'Back';
      forward: 'Forward';
      up: 'Up one folder';
      reload: 'Reload this folder';
      search: 'Search in this folder and below…';
      folderSize: 'Size of this folder…';
      filter: 'Find in this folder';
      startsWith: 'Show names that start with…';
      viewList: 'View as list';
      viewGallery: 'View as gallery';
      details: 'Show or hide details';
      sidebar: 'Show or hide the sidebar';
      requestLog: 'Show or hide the request log';
      uploads: 'Stalled uploads here';
      transfers: 'Show or hide the transfers';
      newBucket: 'New bucket…';
      bucketSettings: 'Settings of this bucket…';
      deleteBucket: 'Delete this bucket…';
      exportConnections: 'Export connections…';
      importConnections: 'Import connections…';
      settings: 'Settings';
      updates: 'Check for updates…';
      about: 'About Cooper';
      light: 'Light theme';
      dark: 'Dark theme';
      auto: 'System theme';
      foldersFirst: 'Sort folders first';
      foldersMixed: 'Sort folders among objects';
      selectAll: 'Select all loaded items';
      bookmark: 'Add or remove a bookmark for this folder';
      nextTab: 'Next tab';
      previousTab: 'Previous tab';
      nextPane: 'Next pane';
      previousPane: 'Previous pane';
      shortcuts: 'Keyboard shortcuts';
      open: 'Open the selected row';
      openInTab: 'Open in a new tab';
      rowMenu: 'Menu of the selected row';
      newWindow: 'New window';
      closeWindow: 'Close this window';
      quickOpen: 'Quick open';
      placesPlaceholder: 'Go to a bucket, a folder, a bookmark or a loaded object';
      look: 'Look at the row, beside the list';
      toggleSelected: 'Add the row to the selection, or take it out';
      siblings: 'Show what is beside this folder';
      panes: 'Show two places side by side, or one';
      otherPane: 'Go to the other pane';
      copyToPane: 'Copy the selection to the other pane';
      moveToPane: 'Move the selection to the other pane';
    };
    keyText: {
      empty: 'empty name';
      space: 'leading or trailing space';
      hidden: 'invisible or look-alike character {{code}}';
      decomposed: 'Letters and accents are stored apart (NFD). A name that looks the same may be another one.';
    };
    shortcuts: {
      title: 'Keyboard shortcuts';
      groups: {
        go: 'Go to places';
        find: 'Find';
        objects: 'Objects and folders';
        transfers: 'Transfers';
        view: 'Panes';
        tabs: 'Tabs and windows';
        program: 'Cooper and buckets';
      };
    };
    columns: {
      choose: 'Columns';
      reset: 'Reset columns';
      noRoom: 'no room';
      resize: 'Width of the column {{column}}';
    };
    panes: {
      two: 'Show two places side by side';
      one: 'Show one place';
      left: 'Left pane';
      right: 'Right pane';
      close: 'Close this pane';
      resize: 'Width of the left pane';
      noOther: 'There is no other pane. Show two places side by side first.';
      noFolder: 'Open a folder in both panes first.';
      nothing: 'Select what to copy or move to the other pane first.';
      copy: 'Copy to the other pane';
      bothLocal: 'Open a bucket in one of the panes. Copies between two folders of this computer are for your file manager.';
      onlyCopies: 'Between a bucket and this computer Cooper only copies. Nothing was changed.';
      noDetails: 'No details for what the active pane shows.';
    };
    others: 'Others';
  };
  connections: {
    actionFailed: 'Cooper could not do this';
    samples: 'Sample buckets';
    sidebar: {
      title: 'Connections';
      add: 'Add a connection';
      none: 'No connections yet';
      moreActions: 'Actions for {{name}}';
      builtInBadge: 'On this computer';
      typedBadge: 'opened by name';
      loading: 'Loading buckets…';
      loadingConnections: 'Loading connections…';
      noBuckets: 'No buckets yet';
      failed: 'Cooper could not list the buckets';
      deniedExplained: 'Your key has no permission to list buckets. Open one by its name.';
      openByName: 'Open a bucket by name…';
      retry: 'Try again';
      reorderHint: 'Move with Ctrl+Shift+Up and Ctrl+Shift+Down, or from the menu.';
      moved: '{{name}} is now number {{position}} of {{count}}.';
      dropHere: 'Drop to move here';
      folders: {
        loading: 'Loading folders…';
        failed: 'Cooper could not list the folders';
        empty: 'No folders';
        more: 'More in {{name}}…';
      };
    };
    menu: {
      open: 'Open';
      openByName: 'Open a bucket by name…';
      edit: 'Edit…';
      test: 'Test connection…';
      duplicate: 'Duplicate';
      moveUp: 'Move up';
      moveDown: 'Move down';
      reload: 'Reload buckets';
      new: 'Add a connection…';
      remove: 'Remove…';
      forget: 'Remove from the list';
      copyName: 'Copy name';
      restoreSamples: 'Restore the sample buckets';
      exportFile: 'Export connections…';
      importFile: 'Import connections…';
      actions: 'Connection actions';
    };
    remove: {
      title: 'Remove “{{name}}”?';
      body: 'Cooper forgets this connection, its keys and its bookmarks. Your buckets stay as they are.';
      bodyBuiltIn: 'Cooper removes the sample buckets from the list. Their files stay on this computer, and you can restore them at any time.';
      confirm: 'Remove';
      cancel: 'Keep';
      done: 'Removed “{{name}}”';
    };
    programs: {
      open: 'Use with other programs…';
      palette: 'Use the sample service with other programs…';
      welcome: 'Use them with other programs…';
      title: 'Use the sample service with other programs';
      body: 'The sample buckets are an S3 service of this computer. While Cooper runs, other programs on this computer can read and change them. Programs on other computers cannot reach it.';
      address: 'Address';
      region: 'Region';
      keysFile: 'File with the keys';
      keysFileHint: 'The access key and its secret. Only your account on this computer can read it, and this window does not know the secret.';
      keysTitle: '1. Give the keys to a terminal';
      keysBody: 'These lines read the keys from their file. No secret stands in them.';
      linesTitle: '2. Start a program in that terminal';
      programs: {
        awscli: 'awscli: list the buckets';
        rclone: 'rclone: list the buckets';
        s3cmd: 's3cmd: list the buckets';
        boto3: 'boto3: list the buckets';
        restic: 'restic: make a repository for backups';
      };
      copyAddress: 'Copy the address';
      copyRegion: 'Copy the region';
      copyKeysFile: 'Copy the path of the file';
      copyKeys: 'Copy the lines for the keys';
      copyLine: 'Copy the line for {{program}}';
      starting: 'The service is starting…';
      port: 'The address changes each time Cooper starts.';
      portAlone: 'To keep one address, quit Cooper and run its service alone, with a port of your choice:';
      copyPort: 'Copy the command';
      close: 'Close';
    };
    file: {
      exported_one: 'Exported {{count}} connection without its secrets';
      exported_other: 'Exported {{count}} connections without their secrets';
      exportedBody: 'The file contains access key IDs and addresses, but no secret keys.';
      nothing: 'There are no connections to export yet.';
      title: 'Import connections';
      choose: 'Choose a file';
      body: 'Choose a file that Cooper exported (cooper-connections-….json). It contains no secrets: Cooper asks for them when you edit a connection.';
      entries: 'Connections in “{{name}}”';
      none: 'This file contains no connections.';
      duplicate: 'already added';
      needsKeys: 'needs its secret key';
      problem: 'cannot be imported: {{problem}}';
      unnamed: 'unnamed';
      invalid: 'This is not a connection file from Cooper. Nothing has changed.';
      newer: 'A newer version of Cooper exported this file. Nothing has changed.';
      tooLarge: 'This file is too large for a connection file.';
      submit_one: 'Import {{count}} connection';
      submit_other: 'Import {{count}} connections';
      done_one: 'Imported {{count}} connection';
      done_other: 'Imported {{count}} connections';
      doneKeys: 'Edit each connection to enter its secret key.';
    };
    choose: {
      title: 'Open “{{name}}”';
      label: 'Connection';
      several: 'More than one connection has a bucket with this name.';
      none: 'No connection lists this bucket. Choose the connection to open it with.';
      open: 'Open';
    };
    openByName: {
      title: 'Open a bucket by name';
      description: 'For keys without permission to list buckets, or when you know where to go.';
      label: 'Bucket, or bucket and folder';
      placeholder: 'photos/2024/';
      invalid: 'Type the name of a bucket, such as photos, or photos/2024/.';
      open: 'Open';
      cancel: 'Cancel';
    };
    home: {
      heading: 'Buckets';
      subtitle: '{{endpoint}}';
      columns: { name: 'Name'; objects: 'Objects'; size: 'Size'; region: 'Region'; created: 'Created' };
      actions: 'Actions';
      filter: 'Filter by name';
      filterNone: 'No bucket name contains “{{text}}”.';
      count_one: '{{count}} bucket';
      count_other: '{{count}} buckets';
      countFiltered: '{{shown}} of {{count}}';
      loading: 'Loading buckets…';
      empty: {
        title: 'No buckets yet';
        body: 'This key owns no buckets here. You can open other buckets by name.';
      };
      denied: {
        title: 'No permission to list buckets';
        body: 'This key lacks the permission s3:ListAllMyBuckets, which is common. Open a bucket by name: Cooper remembers it here.';
      };
      failed: { title: 'Cooper could not list the buckets' };
      partly: 'The service did not list its buckets. These are the ones you opened by name.';
      reload: 'Reload';
      edit: 'Edit connection';
      test: 'Test connection';
      unknownDate: '—';
      objects_one: '{{count, number}} object';
      objects_other: '{{count, number}} objects';
      countedAt: 'Counted {{time}}';
      gone: { title: 'This connection no longer exists'; body: 'It was removed, perhaps in another window.' };
    };
    welcome: {
      title: 'Welcome to Cooper';
      body: 'Cooper shows the buckets of any S3-compatible storage as folders, even with millions of objects. It also completes stalled uploads.';
      samplesTitle: 'Look around first';
      samplesBody: 'Sample buckets on this computer with photos, documents and a large folder of logs.';
      samplesOpen: 'Open the sample buckets';
      addTitle: 'Connect to your storage';
      addBody: 'Amazon S3, Yandex, Ceph, MinIO, Cloudflare R2, Backblaze B2 and every other S3-compatible service.';
      addOpen: 'Add a connection';
      profilesTitle: 'Found on this computer';
      profilesBody: 'Profiles of the AWS tools. Cooper reads their keys when needed and does not copy them.';
      profileOpen: 'Connect with {{name}}';
      profileDefaultRegion: 'no region set';
      secrets: 'Where your keys are kept';
    };
    profileKinds: {
      keys: 'access key';
      process: 'external program';
      sso: 'single sign-on';
      role: 'role';
      'web-identity': 'web identity';
      unknown: 'no keys found';
    };
    form: {
      createTitle: 'Add a connection';
      editTitle: 'Edit “{{name}}”';
      duplicateTitle: 'Duplicate “{{name}}”';
      copyName: '{{name}} (copy)';
      provider: 'Provider';
      name: 'Name';
      nameDescription: 'Its name in the sidebar.';
      account: 'Account ID';
      accountDescription: 'Shown in the Cloudflare dashboard, under R2.';
      endpoint: 'Endpoint';
      endpointOfProfile: 'Leave empty to use the profile’s endpoint.';
      endpointDescription: 'The address of the service, without a bucket.';
      endpointPlaceholder: 'https://storage.example.com';
      region: 'Region';
      regionDescription: 'Leave empty to detect it.';
      regionPlaceholder: 'detected automatically';
      auth: 'Sign in with';
      authKinds: { keys: 'Access key'; 'aws-profile': 'AWS profile'; anonymous: 'No key' };
      anonymousExplained: 'For public buckets. Name one under “Start in”, because buckets cannot be listed without a key.';
      accessKeyId: 'Access key ID';
      secretAccessKey: 'Secret access key';
      secretShow: 'Show or hide the secret access key';
      storedSecret: 'saved; leave empty to keep';
      sessionToken: 'Session token';
      sessionTokenShow: 'Show or hide the session token';
      sessionTokenDescription: 'Only for temporary keys.';
      sessionTokenAdd: 'Add a session token';
      storedToken: 'saved; leave empty to keep';
      removeToken: 'Remove the saved token';
      profile: 'Profile';
      profilePlaceholder: 'Choose a profile';
      profilesLoading: 'Looking for profiles…';
      profilesNone: 'No profiles in ~/.aws on this computer.';
      profilesFailed: 'Cooper could not read the profiles in ~/.aws.';
      profileExplained: 'Cooper reads this profile whenever it needs a key, and never copies its keys.';
      start: 'Start in';
      startDescription: 'A bucket, or bucket/folder. Required for keys that cannot list buckets.';
      startPlaceholder: 'optional';
      advanced: 'Advanced';
      addressing: 'Addressing style';
      addressingKinds: {
        auto: 'Automatic';
        path: 'Path: host/bucket';
        'virtual-host': 'Virtual host: bucket.host';
      };
      addressingDescription: 'Where the bucket’s name goes in the address. Automatic is nearly always right.';
      ca: 'Certificate authority';
      caDescription: 'For a private authority: paste its certificate (PEM), or choose its file. The system’s authorities are trusted as well.';
      caChoose: 'Choose a file…';
      caClear: 'Clear';
      caTooLarge: 'This file is too large for a certificate.';
      caUnreadable: 'Cooper could not read this file.';
      proxy: 'Proxy';
      proxyKinds: { system: 'System settings'; none: 'No proxy'; url: 'Custom' };
      proxyUrl: 'Proxy address';
      requesterPays: 'Requester pays';
      requesterPaysDescription: 'The account of this key pays for requests and downloads, not the bucket’s owner. Requester-pays buckets reject all other requests.';
      proxyPlaceholder: 'http://proxy.example.com:3128';
      save: 'Save';
      add: 'Add connection';
      addAnyway: 'Save without testing';
      test: 'Test connection';
      testAgain: 'Test again';
      stopTest: 'Stop';
      cancel: 'Cancel';
      saving: 'Saving…';
      savedNew: 'Added “{{name}}”';
      saved: 'Saved “{{name}}”';
      fixFirst_one: 'Correct {{count}} field.';
      fixFirst_other: 'Correct {{count}} fields.';
      loadFailed: 'Cooper could not load the connection.';
      secretsKept: {
        system: 'This computer’s key store encrypts the keys. They never reach this window again.';
        file: 'Cooper saves the keys in a file that only your user account can read. They never reach this window again.';
        'plain-text': 'This computer has no key store: everyone who can read your files could read the keys in Cooper’s data folder.';
        memory: 'Cooper keeps the keys only until you quit.';
      };
    };
    problems: {
      'name-missing': 'Type a name.';
      'account-missing': 'Type your account ID. It is part of the address.';
      'endpoint-missing': 'Type the address of the service, such as https://storage.example.com.';
      'endpoint-unreadable': 'This is not an address. Type one such as https://storage.example.com.';
      'endpoint-scheme': 'The address must start with https:// or http://.';
      'endpoint-path': 'Type only the address of the service. Name a bucket or folder under “Start in”.';
      'endpoint-login': 'Remove the user name and password from the address. Keys have their own fields.';
      'endpoint-bucket': 'This address starts with a bucket. Remove it here, and name it under “Start in”.';
      'endpoint-braces': 'Replace the part in brackets with your own.';
      'region-missing': 'This provider requires a region.';
      'region-spaces': 'A region has no spaces, for example eu-central-1.';
      'access-key-missing': 'Type the access key ID.';
      'access-key-spaces': 'An access key ID has no spaces. Make sure that you pasted only the key.';
      'key-foreign': 'Character {{position}} ({{code}}) cannot be part of a key. Copy the key again, or type it.';
      'secret-missing': 'Type the secret access key.';
      'secret-same': 'This is the access key ID. The secret is the longer of the two.';
      'profile-missing': 'Choose a profile.';
      'ca-not-pem': 'This is not a complete certificate: it starts with -----BEGIN CERTIFICATE----- and ends with -----END CERTIFICATE-----.';
      'ca-private-key': 'This contains a private key. Paste only the certificate, and keep the key to yourself.';
      'proxy-missing': 'Type the proxy’s address, such as http://proxy.example.com:3128.';
      'proxy-unreadable': 'This is not a proxy address. Type one such as http://proxy.example.com:3128.';
      'start-bucket': 'Start with a bucket name, such as photos or photos/2024/.';
    };
    hints: {
      'endpoint-plain-http': 'Without https, others on the network can read your data.';
      'secret-of-former-key': 'The saved secret belongs to the previous access key. Type the new one, unless you only corrected a typing error.';
      'temporary-key-without-token': 'Keys that start with ASIA are temporary and need their session token.';
      'anonymous-start': 'Name a public bucket, because buckets cannot be listed without a key.';
    };
    test: {
      title: 'Testing “{{name}}”';
      running: 'Testing…';
      passed: 'The connection works.';
      passedWithWarnings: 'The connection works, with warnings.';
      failed: 'The connection does not work yet.';
      stopped: 'You stopped the test.';
      steps: {
        settings: 'Settings are valid';
        'name-resolves': 'Server found';
        'port-answers': 'Server responds';
        'tls-holds': 'Connection is secure';
        'speaks-s3': 'Server supports S3';
        'clock-agrees': 'Clocks agree';
        'key-accepted': 'Key is accepted';
        'region-right': 'Region is right';
        'buckets-listed': 'Buckets can be listed';
        'first-page': 'A bucket can be read';
      };
      stepsFailed: {
        settings: 'Settings are not valid';
        'name-resolves': 'Server not found';
        'port-answers': 'Server does not respond';
        'tls-holds': 'Connection is not secure';
        'speaks-s3': 'Server does not support S3';
        'clock-agrees': 'Clocks differ';
        'key-accepted': 'Key is rejected';
        'region-right': 'Region is wrong';
        'buckets-listed': 'Buckets cannot be listed';
        'first-page': 'Bucket cannot be read';
      };
      states: {
        waiting: 'waiting';
        running: 'running';
        ok: 'passed';
        warning: 'warning';
        failed: 'failed';
        skipped: 'skipped';
      };
      ms: '{{ms}} ms';
      seconds: '{{seconds}} s';
      useRegion: 'Use region {{region}}';
      addCa: 'Add the certificate authority…';
      setStart: 'Name a bucket to start in';
      checkSecret: 'Enter the keys again';
      checkEndpoint: 'Check the endpoint';
      setProxy: 'Check the proxy';
      close: 'Close';
      edit: 'Edit connection';
    };
    causes: {
      'endpoint-invalid': 'The endpoint is not an address. Type one such as https://storage.example.com.';
      'proxy-invalid': 'The proxy address is not valid. Type one such as http://proxy.example.com:3128.';
      'ca-unreadable': 'The certificate authority of this connection is not a PEM certificate. Paste it again, from BEGIN to END.';
      settings: 'Some of these settings are not valid. The details say which.';
      'profile-unusable': 'The profile “{{profile}}” in ~/.aws gave no key. The details say why; the AWS tools would fail in the same way.';
      'profile-missing': 'The profile “{{profile}}” is no longer in ~/.aws. Choose another one.';
      'secret-missing': 'Cooper no longer has the secret of this key. Type it again.';
      'region-invalid': 'A region is one word of letters, digits and hyphens, such as eu-central-1.';
      'start-bucket': '“Start in” does not begin with a bucket name. Type one such as photos or photos/2024/.';
      dns: 'No server is called {{host}}. Check the spelling of the endpoint, and that this computer is online or in the right VPN.';
      refused: 'The computer {{host}} responds, but nothing listens on its port {{port}}. Check the port number in the endpoint.';
      'refused-loopback': 'Nothing listens on port {{port}} of this computer. Start the server, or check the port number in the endpoint.';
      unreachable: '{{host}} cannot be reached from this network. Check that this computer is online or in the right VPN.';
      'connect-timeout': '{{host}} did not respond on port {{port}} in time. A firewall may block it, or the port is wrong.';
      'port-other': 'Cooper could not connect to {{host}}, port {{port}}.';
      'tls-untrusted': 'This computer does not trust the certificate of {{host}}. If your organisation has its own certificate authority, add its certificate. Otherwise someone may be intercepting the connection: do not continue.';
      'tls-hostname': 'The certificate is for a name other than {{host}}. Use the name in the certificate as the endpoint.';
      'tls-expired': 'The certificate of {{host}} has expired or is not valid yet. The operator of the service has to renew it. If this computer’s date is wrong, set that first.';
      'tls-protocol': 'Port {{port}} of {{host}} does not use https. If the server is your own, try http:// or another port in the endpoint.';
      'tls-other': 'Cooper could not make a secure connection to {{host}}.';
      'proxy-auth': 'The proxy requires a user name and password. Add them to its address: http://name:password@host:port.';
      'proxy-failed': 'The proxy refused the connection. Check its address, or connect without a proxy.';
      html: '{{host}} answered with a web page instead of S3. The endpoint is probably the address of a console or a website. Use the address of the S3 API.';
      'not-http': 'The server at {{host}}, port {{port}}, does not use HTTP. Check the port number in the endpoint.';
      'not-s3': '{{host}} answers, but not with S3. Make sure that this is the address of the S3 API.';
      'http-to-https': 'Port {{port}} of {{host}} requires https. Start the endpoint with https://.';
      silent: '{{host}} accepted the request but never answered. The service may be overloaded, or the port belongs to another program. Try again later.';
      reset: '{{host}} closed the connection before it answered. Try again. If it happens again, the port may belong to another program.';
      'clock-skew': 'The clocks of this computer and the service differ too much. Set this computer’s date, time and time zone, then try again.';
      'clock-skew-by': 'This computer’s clock is {{difference}} {{direction}} the service’s, and services reject keys beyond 15 minutes. Set this computer’s date, time and time zone, then try again.';
      'key-unknown': 'The service does not know the access key {{accessKeyId}}. Make sure that it is complete, still exists, and belongs to this provider.';
      'secret-wrong': 'The service rejects this access key and secret. Usually the secret does not belong to the key; some services, such as OpenStack Swift, also answer this way for an unknown key. Copy both again, including the last character.';
      'token-invalid': 'The session token does not belong to this key. Copy key, secret and token again, from the same place. Permanent keys need no token.';
      'token-expired': 'These temporary keys have expired. Enter a new key, secret and token.';
      'profile-expired': 'The sign-in behind the profile “{{profile}}” has expired. Sign in again with the AWS tools (aws sso login --profile {{profile}}), then try again.';
      'account-problem': 'The service knows this key, but its account is suspended or not set up. Contact the provider; the details have the service’s message.';
      'anonymous-refused': 'This service requires a key. Without one you can read only public buckets: name one to start in, or sign in with a key.';
      'key-denied': 'The service knows the key but refused it. The key may be disabled, or limited to other networks or buckets.';
      'region-named': 'This bucket is in the region {{region}}, not {{usedRegion}}.';
      'region-unnamed': 'The region {{usedRegion}} is wrong, and the service does not say which one is right. Ask your provider.';
      'redirect-refused': 'The service redirects to another address. Cooper does not send your keys there. If you trust the address in the details, use it as the endpoint.';
      'list-denied': 'The key works, but has no permission to list buckets (s3:ListAllMyBuckets), which is common. Name a bucket to start in.';
      'list-denied-started': 'The key has no permission to list buckets. The connection starts in {{bucket}}, so it does not need it.';
      'bucket-denied': 'The key has no permission to list the bucket {{bucket}} (s3:ListBucket). Ask its owner, or start in another one.';
      'bucket-missing': 'The bucket {{bucket}} does not exist here. Check the spelling under “Start in”. Upper and lower case matter.';
      'rate-limited': 'The service is busy. Try again in a minute.';
      server: 'The service has an internal problem. Your settings may be right. Try again later.';
      unsupported: 'The service does not support this request, but may still work. Name a bucket to start in.';
      other: 'This step failed for an unknown reason. The details have the service’s answer.';
    };
    clock: { ahead: 'ahead of'; behind: 'behind' };
    facts: {
      address: 'address {{value}}';
      addresses: '{{value}}';
      protocol: '{{value}}';
      validUntil: 'certificate until {{value}}';
      issuer: 'issued by {{value}}';
      server: '{{value}}';
      region: 'region {{value}}';
      buckets_one: '{{count}} bucket';
      buckets_other: '{{count}} buckets';
      bucket: '{{value}}';
      entries_one: '{{count}} entry';
      entries_other: '{{count}} entries';
    };
  };
  edits: {
    open: 'Open and edit';
    sent: 'Saved {{name}} to the bucket';
    conflict: {
      title: '{{name}} has changed in the bucket';
      body: 'Someone else changed or deleted it after you opened it. Your version is in the copy on this computer; the bucket has the other one.';
      overwrite: 'Replace with mine';
    };
    failed: {
      title: '{{name}} was not saved to the bucket';
      body: 'Your version is in the copy on this computer. Cooper keeps it until it is uploaded. Save again to retry.';
    };
    discard: 'Discard my copy';
  };
  entries: {
    batches: {
      open: 'Batch job on AWS…';
      notHere: 'Batch jobs run on Amazon S3 alone. This connection is to another service.';
      tooMany: 'A job takes at most 10,000 selected rows. Select whole folders, or search and take all results.';
      nothing: 'Select objects in a folder or in search results first.';
    };
    buckets: {
      actions: 'Actions for {{name}}';
      menu: { create: 'New bucket…'; remove: 'Delete bucket…'; settings: 'Bucket settings…' };
    };
    inventory: { open: 'Open as inventory…' };
    links: { open: 'Create a link…' };
    map: {
      below: {
        known_one: '{{size}} in {{number}} object, read {{time}}';
        known_other: '{{size}} in {{number}} objects, read {{time}}';
        unknown: 'Not known. Open the map of this bucket to read the sizes.';
      };
    };
    properties: { open: 'Properties…' };
    search: {
      find: 'Search';
      here: 'Search here…';
      sizeOf: { menu: 'Size of this folder…' };
      title: 'Search';
    };
    settings: {
      languageFailed: 'Cooper could not load this language. Reload the window to try again.';
      mebibytes: 'MiB';
      saveFailed: 'Cooper could not save this setting.';
    };
    sync: { menu: { down: 'Sync this folder down…'; up: 'Sync a folder here…' } };
    stalled: {
      countAtLeast: '{{number}}+';
      here: 'Stalled uploads here';
      sidebar: 'Stalled uploads';
      sidebarCount_one: '{{count, number}} stalled upload';
      sidebarCount_other: '{{count, number}} stalled uploads';
      title: 'Stalled uploads';
    };
    versions: { hide: 'Hide versions'; ofObject: 'Versions…'; show: 'Show versions' };
    manifest: {
      save: 'Save a manifest of the keys…';
      title: 'Save a manifest of the selected keys';
      saved_one: 'Saved {{count, number}} key to {{name}}';
      saved_other: 'Saved {{count, number}} keys to {{name}}';
    };
  };
  errors: {
    details: 'Show the service’s answer';
    hideDetails: 'Hide the service’s answer';
    copyDetails: 'Copy details';
    fields: {
      code: 'Type';
      reason: 'Reason';
      message: 'Message';
      serviceCode: 'Service code';
      serviceMessage: 'Service message';
      status: 'HTTP status';
      requestId: 'Request ID';
      expected: 'Expected';
      got: 'Received';
    };
    missingPermission: 'The permission {{permission}} is missing.';
    leadsTo: 'It names the address {{host}}.';
    retryAfter_one: 'The service asks you to wait {{count, number}} second.';
    retryAfter_other: 'The service asks you to wait {{count, number}} seconds.';
    retryIn_one: 'The service asked for a pause. Cooper tries again in {{count, number}} second.';
    retryIn_other: 'The service asked for a pause. Cooper tries again in {{count, number}} seconds.';
    waitOver: 'The pause that the service asked for is over.';
    codes: {
      'invalid-argument': {
        title: 'The service rejected this request';
        body: 'Nothing has changed. The details say why.';
      };
      cancelled: { title: 'Stopped'; body: 'Nothing has changed. You can start it again.' };
      unsupported: {
        title: 'This service does not support this';
        body: 'Nothing has changed. Other features of the service may still work.';
      };
      'access-denied': {
        title: 'You do not have permission to do this';
        body: 'The key of this connection lacks the permission. Ask the bucket’s owner to grant it, or use another key.';
      };
      'auth-expired': {
        title: 'Your keys have expired';
        body: 'Nothing has changed. Enter new keys in the connection, or sign in again with the tool that issued them.';
      };
      'clock-skew': {
        title: 'This computer’s clock is wrong';
        body: 'Services reject keys if the clocks differ by more than 15 minutes. Set the date, time and time zone, then try again.';
      };
      'not-found': {
        title: 'It does not exist';
        body: 'It may have been deleted or renamed. Reload to see the current state.';
      };
      conflict: {
        title: 'It changed in the meantime';
        body: 'Nothing was overwritten. Reload to see the current state, then try again.';
      };
      'upload-gone': {
        title: 'This upload no longer exists';
        body: 'Another program completed or aborted it. Reload to see the current state.';
      };
      'parts-rejected': {
        title: 'The service rejects the parts';
        body: 'The stored parts have not changed. Check them again; the details say which one is wrong.';
      };
      network: {
        title: 'Cooper cannot reach the service';
        body: 'Your data is not affected. Check your network or VPN, then try again.';
      };
      timeout: {
        title: 'The service does not respond';
        body: 'Your data is not affected. The service may be busy, or the network slow. Try again later.';
      };
      'rate-limited': {
        title: 'The service is busy';
        body: 'Your data is not affected. Wait a little, then try again.';
      };
      server: {
        title: 'The service has an internal problem';
        body: 'Try again later. If it happens again, give the request ID to the service’s support.';
      };
      protocol: {
        title: 'The service sent an unexpected answer';
        body: 'The answer does not follow the S3 protocol. Check the endpoint of the connection. A proxy may have changed the answer.';
      };
      storage: {
        title: 'Cooper cannot use its data folder';
        body: 'Your buckets are not affected. Make sure that the disk is not full and that you can write to the folder.';
      };
      damaged: {
        title: 'The content does not match the service’s description';
        body: 'The object on the service has not changed, and Cooper saved no file. Try again. If it happens again, a proxy damages the content, or the stored object is damaged.';
      };
      disconnected: {
        title: 'Connection to Cooper lost';
        body: 'Reconnecting. Until then, this window may be out of date.';
      };
      internal: {
        title: 'Something went wrong in Cooper';
        body: 'Your data is not affected. Try again. If it happens again, report it with the details.';
      };
    };
    reasons: {
      'backup-gone': {
        title: 'This backup no longer exists';
        body: 'Cooper keeps the backups of the last days only. Nothing has changed.';
      };
      'object-changed': {
        title: 'The object has changed';
        body: 'Another version has replaced it since it was opened here. Cooper never mixes two versions.';
      };
      'customer-key-needed': {
        title: 'Customer key missing';
        body: 'This object is encrypted with a key of your own that Cooper does not have for this connection. Add the key under “Upload with options”, then try again.';
      };
      'customer-key-needs-tls': {
        title: 'Customer keys need an encrypted connection';
        body: 'This connection uses http, so others on the network could read the key. Nothing was sent. Use an https:// endpoint, then try again.';
      };
      'encryption-ignored': {
        title: 'The service did not encrypt the object';
        body: 'The object is stored without the encryption that you asked for. Delete it if nobody may read it, and upload it without this option or to another service.';
      };
      'customer-key-invalid': {
        title: 'Invalid customer key';
        body: 'A key is 32 bytes in Base64: 44 characters that end in “=”. Nothing was saved.';
      };
      'pattern-invalid': {
        title: 'Invalid pattern';
        body: 'Nothing was searched. The details say what is wrong. To find the characters themselves, use “Contains”.';
      };
      'pattern-slow': {
        title: 'This pattern takes too long';
        body: 'Cooper stopped the search. Use a simpler expression without nested repetitions, or a pattern with * and ?.';
      };
      'walk-gone': {
        title: 'The results are no longer available';
        body: 'Cooper keeps results until you close them or quit. Search again.';
      };
      'survey-gone': {
        title: 'This map is no longer open';
        body: 'Cooper closed it to make room for others. Open it again.';
      };
      'catalogue-gone': {
        title: 'This catalogue is no longer available';
        body: 'Cooper could not read it, or deleted it to make room. Nothing on the service has changed. Read the bucket again.';
      };
      'plan-gone': {
        title: 'This plan is no longer available';
        body: 'Cooper keeps plans until you close them or quit. Nothing has changed. Make the plan again.';
      };
      'plan-incomplete': {
        title: 'The plan is incomplete';
        body: 'Nothing has changed. Make the plan again and let it finish.';
      };
      'plan-ran': {
        title: 'This plan has already run';
        body: 'It is under Transfers. To sync again, make a new plan.';
      };
      'count-differs': {
        title: 'The number of deletions differs';
        body: 'Nothing has changed. Check the plan again, and type the number that it shows.';
      };
      'file-unwritable': {
        title: 'Cooper could not write the file';
        body: 'An existing file is unchanged. Choose another folder, or make sure that you can write there.';
      };
      'into-itself': {
        title: 'A folder cannot be moved into itself';
        body: 'Nothing has changed. Choose another folder.';
      };
      'version-move': {
        title: 'A single version cannot be moved';
        body: 'Nothing has changed. Copy the version, then delete it.';
      };
      'outside-base': {
        title: 'This is outside the folder it was chosen in';
        body: 'Cooper did not change it. Select it in its own folder.';
      };
      'source-in-the-way': {
        title: 'Another object of this move is still there';
        body: 'Nothing was overwritten. Try again after the others have moved.';
      };
      'change-not-stored': {
        title: 'The service did not store the change';
        body: 'It answered success, but Cooper read back another value. Try again; if it happens again, the service does not support this change.';
      };
      'copy-unverified': {
        title: 'Cooper could not verify the copy';
        body: 'The original is unchanged. Check the object at the target, then try again.';
      };
      'results-gone': {
        title: 'The download no longer exists';
        body: 'It was moved, renamed or deleted. Download it again if you need it.';
      };
      'bucket-not-empty': {
        title: 'The bucket is not empty';
        body: 'The bucket was not deleted. Another program may have added something, or there are incomplete uploads. Check the bucket, then delete it again.';
      };
      'acl-not-carried': {
        title: 'Cooper could not copy the object’s permissions';
        body: 'Your key has no permission to set them (ACL), so the object stays where it is. Use another key, or copy the object instead: a copy does not take them along.';
      };
      'drop-no-space': {
        title: 'Not enough space for a copy of this file';
        body: 'A browser does not reveal where a dropped file is, so Cooper keeps a copy in its data folder until the upload is complete. Free some space, or choose the file instead: then Cooper needs no copy.';
      };
      'drop-wrong-size': {
        title: 'The file did not arrive complete';
        body: 'It may have changed meanwhile. Cooper kept nothing of it. Drop it again when no program is writing to it.';
      };
      'drop-not-taken': {
        title: 'Cooper could not read the file';
        body: 'It may have been moved or changed, or Cooper has quit. Nothing was kept or sent. Drop it again, or choose it instead.';
      };
      'drop-ticket': {
        title: 'Cooper could not read the file in time';
        body: 'Nothing was kept. Drop it again.';
      };
      'drop-too-many': {
        title: 'Too many files at once';
        body: 'Wait until some have arrived, then drop this file again.';
      };
      'drop-not-written': {
        title: 'Cooper could not write a copy of the file';
        body: 'The disk of the data folder rejected it. Nothing was sent. Choose the file instead: then Cooper needs no copy.';
      };
      'drop-by-path': {
        title: 'Cooper could not read the file';
        body: 'Drop it again, or choose it instead.';
      };
      'drop-not-a-file': {
        title: 'This is not a single file';
        body: 'Drop one file from your file manager. For a folder, use “Resume from a folder”.';
      };
      'drop-many': {
        title: 'More than one file';
        body: 'Drop one file. For several uploads, select them and resume from a folder.';
      };
      denied: {
        title: 'Access denied';
        body: 'The key of this connection lacks the permission. Ask the bucket’s owner to grant it, or use another key.';
      };
      'key-unknown': {
        title: 'The service does not know this access key';
        body: 'Make sure that the key in the connection is complete, still exists, and belongs to this provider.';
      };
      'secret-wrong': {
        title: 'The service rejects this access key and secret';
        body: 'Nothing has changed. Usually the secret does not belong to the key; some services, such as OpenStack Swift, also answer this way for an unknown key. Copy both again into the connection, including the last character.';
      };
      'token-invalid': {
        title: 'The session token does not belong to this key';
        body: 'Copy key, secret and token again, from the same place.';
      };
      'token-expired': {
        title: 'The temporary keys have expired';
        body: 'Enter a new key, secret and token in the connection.';
      };
      'refused-by-service': {
        title: 'The service refuses this';
        body: 'Nothing has changed. The service gives its reason in its own words:';
      };
      'virtual-host-wanted': {
        title: 'The service wants the bucket in the host name';
        body: 'Nothing has changed. Set the addressing style of this connection to “Virtual host”. An IP address, or a bucket name with dots, cannot be used that way.';
      };
      'account-problem': {
        title: 'The account has a problem';
        body: 'The service knows the key, but its account is suspended or not set up. Contact the provider.';
      };
      'anonymous-refused': {
        title: 'This needs an access key';
        body: 'Without a key you can read only public buckets. Add a key to the connection.';
      };
      'no-such-connection': {
        title: 'This connection no longer exists';
        body: 'It was removed, perhaps in another window. Your buckets are not affected.';
      };
      'no-such-bucket': {
        title: 'This bucket does not exist';
        body: 'It was deleted, or its name is misspelled. Upper and lower case matter.';
      };
      'no-such-key': {
        title: 'This object no longer exists';
        body: 'It was deleted or renamed after the list was loaded. Reload the folder.';
      };
      'object-archived': {
        title: 'This object is archived';
        body: 'Restore it under Properties before you read it. This can take hours and cost money.';
      };
      'region-mismatch': {
        title: 'The bucket is in another region';
        body: 'Set the right region in the connection. The details show it if the service reports it.';
      };
      'key-too-long': {
        title: 'The name is too long';
        body: 'A key has at most 1024 bytes in UTF-8. Nothing has changed.';
      };
      'unreadable-entry': {
        title: 'An entry of the listing cannot be read';
        body: 'Cooper must not leave it out here, so it stopped. Nothing was changed. The details name the entry: have it corrected or removed, or work with the folders beside it.';
      };
      'listing-stuck': {
        title: 'The service repeats the same page';
        body: 'Cooper stopped, because the list does not continue. The items loaded so far are right.';
      };
      'cut-short': {
        title: 'The answer was cut off';
        body: 'The connection was lost before the whole answer arrived. Try again.';
      };
      html: {
        title: 'A web page answered instead of a storage service';
        body: 'The endpoint is probably the address of a console or a website. Use the address of the S3 API.';
      };
      'unexpected-answer': {
        title: 'This does not seem to be a storage service';
        body: 'The server at the endpoint answers, but not with S3. Check the endpoint of the connection.';
      };
      'redirect-refused': {
        title: 'The service redirects to another address';
        body: 'Cooper does not send your keys there. If you trust that address, use it as the endpoint of the connection.';
      };
      dns: {
        title: 'Server not found';
        body: 'Check the spelling of the endpoint, and that this computer is online or in the right VPN.';
      };
      unreachable: {
        title: 'The server cannot be reached from here';
        body: 'Check that this computer is online, or in the right VPN.';
      };
      reset: {
        title: 'The connection was lost';
        body: 'Your data is not affected. Try again. If it happens again, check for a proxy or firewall.';
      };
      'connect-timeout': {
        title: 'The server did not respond in time';
        body: 'A firewall may block it, or the port in the endpoint is wrong.';
      };
      'tls-untrusted': {
        title: 'The certificate is not trusted';
        body: 'If your organisation has its own certificate authority, add it to the connection. Otherwise someone may be intercepting the connection: do not continue.';
      };
      'tls-hostname': {
        title: 'The certificate is for another name';
        body: 'Use the name in the certificate as the endpoint.';
      };
      'tls-expired': {
        title: 'The certificate is not valid today';
        body: 'It has expired or is not valid yet, and the operator of the service has to renew it. Check this computer’s date too.';
      };
      'tls-protocol': {
        title: 'This port does not use https';
        body: 'If the server is your own, try http:// or another port in the endpoint.';
      };
      'proxy-auth': {
        title: 'The proxy requires a user name and password';
        body: 'Add them to its address in the connection: http://name:password@host:port.';
      };
      'proxy-failed': {
        title: 'The proxy refused the connection';
        body: 'Check its address in the connection, or connect without a proxy.';
      };
      'slow-down': {
        title: 'The service is busy';
        body: 'Your data is not affected. Wait a little, then try again.';
      };
      'quota-exceeded': {
        title: 'Quota exceeded';
        body: 'The service stores nothing more until space is freed or the quota is raised. Stored data is safe.';
      };
      'edit-not-kept': {
        title: 'Nothing was saved';
        body: 'Cooper could not write your text to its data folder, so it was not sent either. Free some space on the disk, then save again. Your text stays in the window.';
      };
      'edit-too-large': {
        title: 'This file is too large to be edited';
        body: 'Cooper edits texts of up to 5 MB in its window, and opens files of up to 128 MB in other programs. Download it, change it there and upload it again.';
      };
      'edit-not-encodable': {
        title: 'The encoding of this file does not have all of these characters';
        body: 'Nothing was saved, and the text is still in this window. Remove the characters, or download the object and save it in UTF-8 with another program.';
      };
      'edit-changed': {
        title: 'Someone else has changed this object';
        body: 'It was changed or deleted after you opened it, so Cooper did not write over it. The bucket has the other version.';
      };
      'local-gone': {
        title: 'This folder no longer exists';
        body: 'Somebody deleted or moved it, or its disk was removed. Go up one folder, or reload.';
      };
      'local-denied': {
        title: 'This folder is not open to you';
        body: 'Your account on this computer does not have permission for it. Nothing was changed. Change its permissions, or choose another folder.';
      };
      'local-exists': {
        title: 'An item with this name already exists';
        body: 'Cooper changed nothing. Choose another name.';
      };
      'local-loop': {
        title: 'This link leads in a circle';
        body: 'Cooper cannot open it. Go up one folder.';
      };
      'local-full': {
        title: 'This disk takes no new folder';
        body: 'It is full, or it can only be read. Nothing was changed. Free some space, or choose another folder.';
      };
      'local-unreadable': {
        title: 'This folder cannot be read';
        body: 'Its disk reports an error. Try again, or choose another folder.';
      };
      'local-name': {
        title: 'This name cannot be used here';
        body: 'A name on this computer has no slash, is not “.” or “..”, and is at most 255 bytes long. Choose another name.';
      };
      'outside-roots': {
        title: 'Cooper does not show this folder';
        body: 'It lies outside the folders that Cooper may read, or it holds Cooper’s own data. Choose another folder.';
      };
      'file-handle': {
        title: 'This file or folder is not known any more';
        body: 'Cooper has restarted since it was listed. Open the folder again from the sidebar.';
      };
      'inventory-damaged': {
        title: 'This inventory report is damaged';
        body: 'Cooper believes nothing of it, and has kept nothing. Open another report, or wait for the next one.';
      };
      'inventory-missing': {
        title: 'A file of this inventory report is missing';
        body: 'Cooper has kept nothing of the report. A lifecycle rule may have deleted the file. Open a newer report.';
      };
      'inventory-unfinished': {
        title: 'This inventory report is not finished';
        body: 'There is no manifest.checksum beside it, which the service writes last. Try again later, or open an older report.';
      };
      'inventory-orc': {
        title: 'Cooper cannot read reports in ORC';
        body: 'Choose CSV or Parquet in the bucket’s settings under Inventory. The next report is then readable.';
      };
      'inventory-fields': {
        title: 'This inventory report lacks a field';
        body: 'Add the field in the bucket’s settings under Inventory. The next report then has it.';
      };
      'connection-refused': {
        title: 'The server refused the connection';
        body: 'The server is not running, or the port in the endpoint is wrong.';
      };
      'name-missing': { title: 'The connection has no name'; body: 'Enter a name.' };
      'endpoint-missing': {
        title: 'The endpoint is missing';
        body: 'Enter the address of the service, such as https://storage.example.com.';
      };
      'endpoint-invalid': {
        title: 'This endpoint cannot be used';
        body: 'An endpoint is the address of a service, such as https://storage.example.com, without bucket, path or user name. The details say what is wrong.';
      };
      'region-invalid': {
        title: 'This region cannot be used';
        body: 'A region is one word of letters, digits and dashes, such as eu-central-1.';
      };
      'ca-private-key': {
        title: 'This text contains a private key';
        body: 'Cooper has not kept it. Enter the certificate only.';
      };
      'ca-unreadable': {
        title: 'This is not a certificate';
        body: 'A certificate in PEM form begins with -----BEGIN CERTIFICATE-----. Check the certificate authority of the connection.';
      };
      'proxy-invalid': {
        title: 'The address of the proxy cannot be used';
        body: 'It looks like http://proxy.example.com:3128 or socks5://proxy.example.com:1080. Change it in the connection.';
      };
      'key-invalid': {
        title: 'This key cannot be right';
        body: 'It is empty, or it contains spaces, line breaks or characters that look like others or are invisible. Copy it again.';
      };
      'start-bucket': {
        title: 'The starting bucket has no valid name';
        body: 'Enter the name alone, without slashes or spaces.';
      };
      'secret-missing': {
        title: 'The secret access key is missing';
        body: 'Edit the connection and enter it.';
      };
      'secret-unreadable': {
        title: 'Cooper cannot read a stored key';
        body: 'The system protects keys with another password than before. Edit the connection and enter its keys again.';
      };
      'keyring-unavailable': {
        title: 'The system’s password store does not answer';
        body: 'It is locked or refused access, so Cooper cannot use the stored key, which stays as it is. Unlock it and restart Cooper.';
      };
      'secrets-unreadable': {
        title: 'Cooper cannot read its stored keys';
        body: 'Your buckets are not affected. The details say which file it is. Make it readable, or enter the keys again.';
      };
      'secrets-unwritable': {
        title: 'Cooper could not store the keys';
        body: 'The details say which file it could not write. Make it writable, then save the connection again.';
      };
      'profile-missing': {
        title: 'This profile does not exist';
        body: 'The files in ~/.aws do not contain it. Choose another profile, or add it with “aws configure”.';
      };
      'profile-unusable': {
        title: 'This profile provides no keys';
        body: 'Sign in again with the tool that manages it, such as “aws sso login”. The details say what it reported.';
      };
      'connection-missing': {
        title: 'This connection no longer exists';
        body: 'Your data on the service has not changed. Add the connection again, then start this again.';
      };
      'built-in': {
        title: 'The sample buckets stay as they are';
        body: 'Cooper provides this connection itself. Add a connection of your own to change it.';
      };
      'samples-unavailable': {
        title: 'The sample buckets are not available';
        body: 'Their service on this computer did not start. Your own connections are not affected. Restart Cooper; its log says why.';
      };
      'file-invalid': {
        title: 'This file cannot be imported';
        body: 'It is not a file of connections that Cooper has written, or it was changed. No connection was added.';
      };
      'file-newer': {
        title: 'A newer version of Cooper wrote this file';
        body: 'No connection was added. Update Cooper, then import the file again.';
      };
      'bad-price-list': {
        title: 'This price list has an error';
        body: 'Cooper has not kept it. The details say which entry is wrong.';
      };
      'file-missing': {
        title: 'The file is no longer there';
        body: 'It was moved, renamed or deleted, or its disk was removed. Choose the file again.';
      };
      'file-changed': {
        title: 'The file has changed';
        body: 'It changed while Cooper was working with it, and two versions are never mixed. Start again with the new version.';
      };
      'file-unreadable': {
        title: 'Cooper cannot read the file';
        body: 'Your account on this computer may lack the permission, or it is not a regular file. Change its permissions, or choose another file.';
      };
      'wrong-file': {
        title: 'This file does not match the stored parts';
        body: 'Nothing was sent. Choose the file that the upload began with.';
      };
      'plan-refused': {
        title: 'This file does not fit the upload';
        body: 'Nothing was sent. Choose another file.';
      };
      'body-unreadable': {
        title: 'Cooper cannot read the data to send';
        body: 'The file may have been moved, or its disk may have been removed. Try again with the file in its place.';
      };
      'body-changed': {
        title: 'The data changed while it was sent';
        body: 'The service did not keep it. Wait until no program writes to the file, then try again.';
      };
      'disk-full': {
        title: 'The disk is full';
        body: 'No incomplete file has its final name. Free some space, then try again.';
      };
      'folder-missing': {
        title: 'The folder no longer exists';
        body: 'It was moved, renamed or deleted, or its disk was removed. Put it back, or choose another folder.';
      };
      'folder-unwritable': {
        title: 'Cooper cannot write to this folder';
        body: 'Your account on this computer does not have permission for it. Change its permissions, or choose another folder.';
      };
      'in-the-way': {
        title: 'A folder has the name of this file';
        body: 'Cooper does not replace folders with files. Rename the folder, then try again.';
      };
      'unsafe-path': {
        title: 'This would be outside the chosen folder';
        body: 'Cooper writes only inside it. Nothing was written. Check the links in the folder.';
      };
      'own-data': {
        title: 'This is in Cooper’s data folder';
        body: 'The data folder holds your keys. Cooper neither uploads from it nor writes your files to it. Choose another file or folder.';
      };
      'link-outside': {
        title: 'A link leads out of the chosen folder';
        body: 'Cooper did not follow it, and nothing was sent. To include it, choose “Upload with options…” and allow links that lead outside.';
      };
      'edit-replaced': {
        title: 'Another file has taken the place of the opened one';
        body: 'Cooper sent nothing. Save the document again in its program, or close it here.';
      };
      'file-replaced': {
        title: 'This path leads to another place now';
        body: 'A file or folder was replaced by a link since it was listed. Nothing was read or written. Choose it again.';
      };
      'name-taken': {
        title: 'No free name was found';
        body: 'Nothing was replaced. Rename or remove some of the existing items, then try again.';
      };
      'name-too-long': {
        title: 'The path is too long for this computer';
        body: 'Choose a folder with a shorter path, or rename the item.';
      };
      'local-failed': {
        title: 'The system reported a problem with this file';
        body: 'The details say what it reported. The object on the service has not changed.';
      };
      'drop-unsafe-name': {
        title: 'A name cannot be used on this computer';
        body: 'Nothing was sent. Rename the file, then drop it again.';
      };
      'no-dialogs': {
        title: 'There is no file dialog here';
        body: 'The browser host has none of its own. Choose files in the window.';
      };
      'edit-kind': {
        title: 'Cooper does not open files of this kind';
        body: 'They can run programs. Download the file and check it first.';
      };
      'edit-no-program': {
        title: 'No program opens this file';
        body: 'Choose a program for this kind of file in the system, then try again.';
      };
      'no-such-edit': {
        title: 'This file is no longer open';
        body: 'Cooper no longer watches it. Open the object again.';
      };
      'no-such-bookmark': {
        title: 'This bookmark no longer exists';
        body: 'It was removed, perhaps in another window.';
      };
      'not-a-folder': { title: 'This is not a folder'; body: 'Nothing has changed. Choose a folder.' };
      'job-gone': {
        title: 'This transfer no longer exists';
        body: 'It was removed from the list, perhaps in another window.';
      };
      'job-exists': {
        title: 'This upload already has a transfer';
        body: 'Find it under Transfers. Cancel it first, or let it finish.';
      };
      'outcome-unknown': {
        title: 'Cooper does not know yet whether this upload was completed';
        body: 'Its transfer is checking. Wait for it, or cancel it first.';
      };
      'not-a-transfer': {
        title: 'This transfer has no files here';
        body: 'Only downloads have files that can be shown.';
      };
      'not-damaged': {
        title: 'This item is not damaged';
        body: 'It can be kept without verification only if its bytes differ. Reload to see its current state.';
      };
      'nothing-asked': { title: 'This question was already answered'; body: 'The transfer continues.' };
      'scan-gone': { title: 'This list is out of date'; body: 'Load it again.' };
      'not-http': {
        title: 'The endpoint does not answer in HTTP';
        body: 'Check its port, and whether it begins with https:// or http://.';
      };
      busy: {
        title: 'Another change is still in progress';
        body: 'The service is working on another request for this. Nothing has changed. Try again in a moment.';
      };
      'bucket-exists': {
        title: 'A bucket with this name already exists';
        body: 'It may belong to another account, since all accounts share the names. Choose another name.';
      };
      'bucket-yours': {
        title: 'You already have a bucket with this name';
        body: 'Nothing has changed. Open it, or choose another name.';
      };
      'bucket-name': {
        title: 'This is not a valid name of a bucket';
        body: 'A name has 3 to 63 lower-case letters, digits, dots and dashes. It begins and ends with a letter or a digit.';
      };
      'storage-class': {
        title: 'The service does not have this storage class';
        body: 'Nothing has changed. Choose another class.';
      };
      'too-large': {
        title: 'This is too large for the service';
        body: 'Nothing was stored. The details say what the service allows.';
      };
      'not-archived': {
        title: 'This object is not archived';
        body: 'You can read it without restoring it. Reload to see its current state.';
      };
      'restore-in-progress': {
        title: 'This object is already being restored';
        body: 'Nothing has changed. Wait until the restore is complete; it can take hours.';
      };
      'malformed-xml': {
        title: 'This is not valid XML for the service';
        body: 'Nothing has changed. Check the tags and values.';
      };
      'read-only': {
        title: 'Cooper shows this setting, but cannot change it';
        body: 'Nothing has changed. Change it with the tools of the service.';
      };
      'header-invalid': {
        title: 'A value cannot be sent';
        body: 'It has characters that a header cannot contain, such as line breaks, or it is not a date. Nothing has changed. Change the value.';
      };
      'metadata-missing': {
        title: 'The service does not show all metadata of this object';
        body: 'It stores values that it cannot send, so writing the object would lose them. Nothing has changed. Replace them first with the program that wrote them.';
      };
      'metadata-unreadable': {
        title: 'A metadata value cannot be read';
        body: 'Its bytes are not text that Cooper knows, so Cooper does not replace it. Nothing has changed. To replace it, remove it and then add it again.';
      };
      'not-unicode': {
        title: 'This name is not valid Unicode';
        body: 'It contains half of a character, so no service can store it. Nothing has changed. Rename it.';
      };
      'not-xml': {
        title: 'The service cannot be sent this name';
        body: 'It contains control characters, which XML cannot carry. Nothing has changed.';
      };
      'content-damaged': {
        title: 'The data was damaged on its way';
        body: 'The service received other bytes than Cooper sent. Your file has not changed. Try again. If it happens again, check the network and the proxy.';
      };
      'stored-damaged': {
        title: 'The service stored other bytes than Cooper sent';
        body: 'Cooper sent them 3 times. What is stored at this key is damaged; the original has not changed. Check the network and the proxy, then try again.';
      };
      'no-answer-for-key': {
        title: 'The service did not report what happened to this object';
        body: 'It may or may not be deleted. Reload to see the current state.';
      };
      input: {
        title: 'The window and the program do not match';
        body: 'Nothing has changed. Reload the window. If it happens again, report it with the details.';
      };
      'database-newer': {
        title: 'A newer version of Cooper has used this data folder';
        body: 'Nothing has changed. Install the newer version, or choose another folder with --data-dir.';
      };
      'database-read-only': {
        title: 'Cooper cannot write to its data folder';
        body: 'Your buckets are not affected. Make the folder writable, then try again.';
      };
      'database-busy': {
        title: 'Another program uses Cooper’s data folder';
        body: 'Your buckets are not affected. Close the other program, such as a backup, then try again.';
      };
      'database-damaged': {
        title: 'Cooper’s database is damaged';
        body: 'Your buckets are not affected. Restart Cooper: it sets the file aside and begins a new one.';
      };
      'database-io': {
        title: 'The disk of the data folder does not work properly';
        body: 'Your buckets are not affected. Check the disk, then restart Cooper.';
      };
      'update-not-writable': {
        title: 'Cooper cannot replace its own file';
        body: 'The folder of the AppImage is not writable. Move the AppImage to a folder of yours, then install again. Nothing has changed.';
      };
      'update-cut': {
        title: 'The update is incomplete';
        body: 'Cooper has not installed anything. It tries again later.';
      };
      'update-feed': {
        title: 'Cooper could not check for updates';
        body: 'This version continues to work. Try again later.';
      };
      'update-tampered': {
        title: 'The update is not the one that was announced';
        body: 'Cooper has deleted it and installed nothing. Try again later. If it happens again, download Cooper from its website.';
      };
      'range-ignored': {
        title: 'The service does not send parts of objects';
        body: 'It ignored the range that Cooper asked for, or a proxy removed it. The object has not changed. Download it as a whole.';
      };
      'batch-empty': {
        title: 'There are no objects for the job';
        body: 'Nothing was found where you looked. No job was created.';
      };
      'batch-too-large': {
        title: 'The list of keys is too long for one job';
        body: 'A manifest holds at most 5 GiB of keys. Search a smaller folder, and create several jobs.';
      };
    };
  };
  files: {
    chooseFile: 'Choose a file';
    chooseFolder: 'Choose a folder';
    roots: 'Places on this computer';
    computer: 'This computer';
    trail: 'Path of this folder';
    list: 'Files and folders';
    name: 'Name';
    size: 'Size';
    modified: 'Modified';
    folder: 'folder';
    file: 'file';
    filter: 'Filter by name';
    up: 'Up one folder';
    loading: 'Loading…';
    empty: 'This folder is empty.';
    noRoots: 'Cooper cannot open any folder on this computer.';
    noneFits: 'No name here contains “{{text}}”.';
    count_one: '{{count, number}} item';
    count_other: '{{count, number}} items';
    choose: 'Choose';
    chooseThisFolder: 'Choose this folder';
    chooseNamed: 'Choose “{{name}}”';
    open: 'Open';
    cancel: 'Cancel';
    hint: 'Enter opens a folder or chooses a file. Backspace goes up.';
    failed: 'This folder cannot be shown';
    onlyThese: 'Cooper shows your home folder and mounted disks, without hidden folders. It reads nothing until you choose.';
    drop: {
      here: 'Or drop the file here';
      letGo: 'Release to use this file';
      receiving: 'Copying “{{name}}”: {{done}} of {{total}}';
      progress: 'Copying the file';
      stop: 'Stop copying';
      stopped: 'Copying was stopped. Cooper kept nothing of the file.';
    };
    rootNames: { home: 'Home'; disk: 'Whole disk'; samples: 'Sample files' };
    showHidden: 'Show hidden files';
    hideHidden: 'Hide hidden files';
    reveal: 'Show in the file manager';
    emptyBody: 'Drop objects here to download them.';
    newFolderIn: 'In {{name}}, on this computer.';
    leftOut_one: '{{count, number}} item is not shown: a link that leads out of the folders Cooper may read, or in a circle, or a name that cannot be read.';
    leftOut_other: '{{count, number}} items are not shown: links that lead out of the folders Cooper may read, or in a circle, or names that cannot be read.';
    onlySent: 'Cooper does not rename or delete files on this computer. Use your file manager. {{keys}} copies to the other pane.';
    details: {
      manySize: '{{size}} in files';
      manyFolders: 'Files inside the selected folders are not counted.';
      folder: 'Folder on this computer';
      file: 'File on this computer';
    };
  };
  inventory: {
    title: 'Open inventory report';
    checking: 'Checking the report…';
    bucket: 'Bucket';
    takenAt: 'Made';
    format: 'Files';
    files_one: '{{format}}, {{number}} file, {{size}}';
    files_other: '{{format}}, {{number}} files, {{size}}';
    versions: 'Versions';
    allVersions: 'All. The map shows the current ones and counts the others.';
    currentVersions: 'Current ones';
    fields: 'Fields';
    prefix: 'Lists keys that start with';
    prefixUnknown: 'Cooper could not read the report’s configuration. Leave this empty if the report lists the whole bucket.';
    prefixKnown: 'From the report’s configuration.';
    wholeBucket: 'the whole bucket';
    what: 'Cooper compares every file with its checksum and makes a map and a catalogue of the report’s date. It does not list the bucket.';
    open: 'Open map';
    obstacle: {
      orc: 'Cooper cannot read reports in ORC. Choose CSV or Parquet in the bucket’s settings under Inventory.';
      'no-key': 'This report has no keys, so Cooper cannot make a map of it.';
      'no-size': 'This report has no sizes. Add the field Size in the bucket’s settings under Inventory.';
      'no-latest': 'This report lists versions without saying which are the latest. Cooper cannot make a map of it.';
    };
  };
  jobs: {
    title: 'Transfers';
    show: 'Show transfers';
    hide: 'Hide transfers';
    resize: 'Height of the transfers';
    list: 'Transfers';
    none: 'No transfers';
    idle: 'No transfer is running';
    active_one: '{{count, number}} transfer';
    active_other: '{{count, number}} transfers';
    activePercent_one: '{{count, number}} transfer, {{percent}} %';
    activePercent_other: '{{count, number}} transfers, {{percent}} %';
    attention_one: '{{count, number}} needs attention';
    attention_other: '{{count, number}} need attention';
    broken_one: 'Cooper could not read {{count, number}} record and set it aside. Its upload is still on the service.';
    broken_other: 'Cooper could not read {{count, number}} records and set them aside. Their uploads are still on the service.';
    empty: {
      title: 'No transfers';
      body: 'Uploads, downloads, copies and deletions appear here with their progress.';
    };
    find: 'Find by name or bucket';
    noneFits: 'No matching transfers.';
    filters: {
      label: 'Show';
      all: 'All';
      running: 'Running';
      waiting: 'Waiting';
      resting: 'Paused';
      attention: 'Need attention';
      finished: 'Finished';
    };
    kinds: {
      complete: 'Complete';
      resume: 'Resume';
      abort: 'Abort';
      upload: 'Upload';
      download: 'Download';
      copy: 'Copy';
      move: 'Move';
      rename: 'Rename';
      delete: 'Delete';
      change: 'Change properties';
      'abort-many': 'Abort uploads';
      'complete-many': 'Complete uploads';
      'resume-many': 'Resume uploads';
      batch: 'Batch job on AWS';
    };
    to: 'to {{place}}';
    of: '{{done}} of {{total}}';
    parts_one: '{{done}} of {{total}} part';
    parts_other: '{{done}} of {{total}} parts';
    files_one: '{{done}} of {{total}} file';
    files_other: '{{done}} of {{total}} files';
    percent: '{{percent}} %';
    speed: '{{speed}}/s';
    left: '{{span}} left';
    file: 'from {{name}}';
    progress: 'Progress of {{name}}';
    andMore_one: 'and {{count, number}} more';
    andMore_other: 'and {{count, number}} more';
    titleMany_one: '{{name}} and {{count, number}} more';
    titleMany_other: '{{name}} and {{count, number}} more';
    state: {
      waiting: 'Waiting for its turn';
      'listing-parts': 'Reading the parts of the upload';
      'verifying-parts': 'Comparing the file with the stored parts';
      'sending-parts': 'Sending';
      completing: 'The service is assembling the object, {{span}} so far';
      'completing-pause': 'The service is assembling the object, {{span}} so far. The transfer pauses afterwards';
      'verifying-outcome': 'The service did not answer. Cooper checks whether the object exists';
      'completing-silent': 'The service has not answered for {{span}}. Cooper checks whether the object exists';
      'waits-assembling': 'The outcome is not known yet. Cooper checks until {{time}}, then completes it again';
      'waits-appearing': 'The upload is gone. Cooper looks for its object until {{time}}';
      'waits-answer': 'The outcome is not known yet. Cooper checks again in {{span}}';
      'waits-reading': 'The object cannot be read yet. Cooper tries again in {{span}}';
      'waits-contradiction': 'The service contradicts itself. Cooper asks again in {{span}}';
      aborting: 'Deleting the upload and its parts';
      undoing: 'Undoing the copies made so far';
      'removing-half-files': 'Deleting incomplete files';
      preparing: 'Listing what to transfer';
      'preparing-and-transferring': 'Transferring while the list is being read';
      transferring: 'Transferring';
      'transferring-silent': 'Transferring. The service has not yet confirmed one of the objects';
      'retry-scheduled': 'Retrying in {{span}}: {{why}}';
      held: 'The service asked Cooper to wait. Continuing in {{span}}: {{why}}';
      'retry-now': 'Retrying now: {{why}}';
      paused: 'Paused';
      'paused-why': 'Paused: {{why}}';
      attention: 'Needs attention: {{why}}';
      'attention-plain': 'Needs attention';
      cancelled: 'Cancelled. The upload is still on the service';
      'cancelled-abort': 'Cancelled. The upload may still be on the service';
      'cancelled-upload': 'Cancelled. Uploaded files stay; unfinished ones are under Stalled uploads';
      'cancelled-download': 'Cancelled. Complete files stay; incomplete ones are deleted';
      'cancelled-copy': 'Cancelled. Copied objects stay; unfinished copies are deleted';
      'cancelled-move': 'Cancelled. The originals are still there; some copies may remain too';
      'cancelled-delete': 'Cancelled. Some objects are deleted; the rest are unchanged';
      'cancelled-change': 'Cancelled. Some objects are changed; the rest are unchanged';
      pausing: 'Pausing…';
      'cancelled-abort-many': 'Cancelled. Aborted uploads are gone; the rest are unchanged';
      'cancelled-complete-many': 'Cancelled. Completed uploads are objects now; the rest are unchanged';
      'cancelled-resume-many': 'Cancelled. Finished uploads are objects now; stored parts of the rest are kept';
      'aborting-many': 'Aborting uploads';
      'completing-many': 'Completing uploads';
      'waits-batch': 'AWS works on the job';
      'cancelled-batch': 'Cancelled. What AWS has done stays; the rest of the objects are unchanged';
    };
    waits: {
      'complete-answer': 'The service is assembling the object from its parts. This can take minutes and cannot be interrupted.';
      assembling: 'Cooper asked the service to complete the upload and got no clear answer. The parts are still stored, so the service may still be assembling the object.';
      appearing: 'Some services take a while to show an object that they have just assembled.';
      answer: 'Cooper asked the service to complete the upload, and the service has not said whether it did.';
      reading: 'Its size and ETag are right, but the service does not return its last byte yet.';
      contradiction: 'It lists the parts of this upload, but answers “no such upload” when asked to complete it. The parts are still stored.';
      batch: 'AWS runs the job by itself, also while Cooper is closed. Cooper asks how far it is.';
    };
    outcomes: {
      completed: 'Done. The object has the expected size and ETag';
      'completed-unchecked': 'Done, according to the service. Cooper has no permission to check the object';
      'wanted-bytes': 'Done. The object has the right content, from this upload or an earlier one';
      'probably-completed': 'Probably done. Size and time match, but the service has no ETag to verify the content';
      aborted: 'Aborted. The parts are deleted';
      'aborted-unchecked': 'Aborted, according to the service. It does not list the parts, so Cooper could not verify it';
      'already-gone': 'The upload no longer existed';
      copied_one: 'Done. Copied and verified {{count, number}} object';
      copied_other: 'Done. Copied and verified {{count, number}} objects';
      moved_one: 'Done. Moved {{count, number}} object';
      moved_other: 'Done. Moved {{count, number}} objects';
      renamed_one: 'Done. Renamed {{count, number}} object';
      renamed_other: 'Done. Renamed {{count, number}} objects';
      deleted_one: 'Done. Deleted {{count, number}} object';
      deleted_other: 'Done. Deleted {{count, number}} objects';
      'bucket-deleted': 'Done. The bucket and its content are deleted';
      changed_one: 'Done. Changed {{count, number}} object';
      changed_other: 'Done. Changed {{count, number}} objects';
      undone: 'Cancelled and undone. Everything is back in its place';
      'partly-moved': 'Cancelled. Items already moved stay in their new place; the rest are unchanged';
      uploaded_one: 'Done. Uploaded {{count, number}} file';
      uploaded_other: 'Done. Uploaded {{count, number}} files';
      downloaded_one: 'Done. Downloaded {{count, number}} file';
      downloaded_other: 'Done. Downloaded {{count, number}} files';
      'aborted-many_one': 'Done. Aborted {{count, number}} upload, freed {{bytes}}';
      'aborted-many_other': 'Done. Aborted {{count, number}} uploads, freed {{bytes}}';
      'completed-many_one': 'Done. Completed {{count, number}} upload';
      'completed-many_other': 'Done. Completed {{count, number}} uploads';
      'resumed-many_one': 'Done. Finished {{count, number}} upload, {{bytes}}';
      'resumed-many_other': 'Done. Finished {{count, number}} uploads, {{bytes}}';
      'batch-complete': 'Done. AWS has gone through the manifest';
    };
    nothing: {
      done: {
        copied: 'Nothing copied';
        moved: 'Nothing moved';
        renamed: 'Not renamed';
        deleted: 'Nothing deleted';
        changed: 'Nothing changed';
        uploaded: 'Nothing uploaded';
        downloaded: 'Nothing downloaded';
        'aborted-many': 'No uploads aborted';
        'completed-many': 'No uploads completed';
        'resumed-many': 'No uploads finished';
        undone: 'Nothing taken back';
        redone: 'Nothing done again';
      };
      none: {
        objects: '{{sentence}}. There were no objects';
        files: '{{sentence}}. There were no files';
        uploads: '{{sentence}}. There were no uploads';
      };
      taken: {
        object: '{{sentence}}. An object with this name already exists';
        objects_one: '{{sentence}}. {{count, number}} object with this name already exists';
        objects_other: '{{sentence}}. {{count, number}} objects with these names already exist';
        file: '{{sentence}}. A file with this name already exists';
        files_one: '{{sentence}}. {{count, number}} file with this name already exists';
        files_other: '{{sentence}}. {{count, number}} files with these names already exist';
      };
    };
    synced: {
      done: 'Done. {{parts}}';
      uploaded: '{{amount, number}} uploaded';
      downloaded: '{{amount, number}} downloaded';
      deleted: '{{amount, number}} deleted';
      unchanged: '{{amount, number}} unchanged';
      skipped: '{{amount, number}} skipped';
    };
    notReadBack: '{{sentence}}. Cooper has no permission to read it back';
    noted_one: '{{sentence}}. {{count, number}} note';
    noted_other: '{{sentence}}. {{count, number}} notes';
    skipped: '{{sentence}}, {{amount, number}} skipped';
    shortWhy: {
      network: 'the service cannot be reached';
      timeout: 'the service did not answer in time';
      'rate-limited': 'the service is busy';
      server: 'the service has an internal problem';
      protocol: 'the service sent an unexpected answer';
      storage: 'the data folder cannot be written';
      'auth-expired': 'the keys have expired';
      'clock-skew': 'this computer’s clock is wrong';
      'access-denied': 'access was denied';
      'not-found': 'it does not exist';
      conflict: 'it changed in the meantime';
      other: 'something went wrong';
    };
    reasons: {
      'by-user': {
        why: 'by you';
        body: 'Cooper sends nothing until you resume it. The stored parts stay on the service.';
      };
      'needs-new-keys': {
        why: 'new keys are needed';
        body: 'The keys of the connection have expired. The parts already sent are safe. Enter new keys in the connection, and the transfer continues by itself.';
      };
      'quota-full': {
        why: 'your disk quota is used up';
        body: 'Your account may not store more on this disk. The parts already sent are safe. Delete files or get a larger quota, then resume.';
      };
      'disk-full': {
        why: 'the disk of this computer is full';
        body: 'Cooper cannot save its progress. The parts already sent are safe. Free some space, then resume.';
      };
      'connection-missing': {
        why: 'its connection was removed';
        body: 'The upload is still on the service. Add the connection again, or clear this transfer.';
      };
      'file-wanted': {
        why: 'the file is needed again';
        body: 'Cooper may no longer read the file, because the program was started again since. What was sent is safe. Choose the same file to go on.';
      };
      'file-missing': {
        why: 'the file no longer exists';
        body: 'It was moved, renamed or deleted. The parts already sent are safe. Restore the file and try again, or choose its new place.';
      };
      'file-changed': {
        why: 'the file has changed';
        body: 'It has changed since the upload started, so the object would mix both versions. Nothing was completed. Resume the upload again: Cooper keeps the parts that still match.';
      };
      'file-unreadable': {
        why: 'the file cannot be read';
        body: 'The system does not let Cooper read it, or the disk has an error. The parts already sent are safe. Fix the problem, then try again.';
      };
      'wrong-file': {
        why: 'this is not the right file';
        body: 'Its content does not match the stored parts. Nothing was completed. Choose the file that this upload was made from.';
      };
      'cannot-complete': {
        why: 'it cannot be completed as it is';
        body: 'Services do not accept its parts as they are. The parts are still stored. Resume the upload from its file, or abort it.';
      };
      'upload-gone': {
        why: 'the upload no longer exists';
        body: 'Someone completed or aborted it, or it has expired. Check the object at this key. If it is not the one you want, upload the file again.';
      };
      'parts-changed': {
        why: 'the parts have changed';
        body: 'Another program seems to be sending this upload too. Nothing was completed. Check the upload, then decide.';
      };
      'parts-rejected': {
        why: 'the service rejects the parts';
        body: 'Nothing was completed, and the parts are still stored. Open the upload to see which parts differ.';
      };
      'subset-refused': {
        why: 'the service does not complete it without the parts beyond your file';
        body: 'Your whole file is stored, but so is more, and the service refuses to leave that out. Nothing was completed. Upload the file again: it goes to the same key, and this upload stays under Stalled uploads.';
      };
      'access-denied': {
        why: 'access was denied';
        body: 'The key of the connection has no permission to do this. The parts already sent are safe. Have the permission granted or use another key, then try again.';
      };
      refused: {
        why: 'the service refused';
        body: 'Trying again without a change will not help. The log shows the service’s answer. The parts are still stored.';
      };
      'outcome-unclear': {
        why: 'its outcome is not known';
        body: 'Cooper sent the request and got no reliable answer. Check the object at this key before you try again. Nothing was deleted.';
      };
      lost: {
        why: 'the upload and the object are both gone';
        body: 'The service no longer knows the upload, and no object has appeared. If you have the file, upload it again. Give the request ID in the log to the service’s support.';
      };
      overwritten: {
        why: 'another object is at this key now';
        body: 'The upload is gone, and the object at its key has other content: someone replaced it or completed the upload differently. Check the object first.';
      };
      'object-unreadable': {
        why: 'the object exists, but the service cannot read it';
        body: 'Size and ETag are right, but the service does not return the last byte. On OpenStack Swift this happens when another program sends a part after the upload was completed. Keep your file and try again. If it happens again, stop the other program and upload the file again.';
      };
      'upload-contradicted': {
        why: 'the service lists the upload, but says that it does not know it';
        body: 'It lists the parts, but answered every attempt to complete the upload with “no such upload”. Nothing was completed, and the parts are still stored. OpenStack Swift answers this way when another program has completed the upload: check the object at the key. Otherwise try again later. If it happens again, upload the file again and give the request IDs in the log to the service’s support.';
      };
      'not-carried-out': {
        why: 'the service reports success, but made no object';
        body: 'It confirmed more than once that the upload is complete, but no object exists. The parts are still stored, so nothing is lost. Try again later, and give the request IDs in the log to the service’s support.';
      };
      'target-changed': {
        why: 'another object has appeared at this key';
        body: 'It appeared after you agreed to complete this upload, so Cooper replaced nothing. All parts are still stored. Choose whether to replace it, or cancel: the upload then stays under Stalled uploads.';
      };
      'not-sent': {
        why: 'some of it could not be sent';
        body: 'Cooper tried many times. The parts already sent are safe. Check the log for the cause, then try again.';
      };
      broken: {
        why: 'its record is damaged';
        body: 'Cooper cannot read its record of this transfer. The upload is still on the service, under Stalled uploads.';
      };
      conflicts: {
        why: 'an item with the same name exists, or a hidden file needs your decision';
        body: 'Nothing was overwritten. Choose Decide to see each item.';
      };
      'items-failed': {
        why: 'some of it could not be transferred';
        body: 'Everything else is done. Try again repeats only the failed items.';
      };
      'program-fault': {
        why: 'Cooper made an error';
        body: 'An error in Cooper stops this transfer. The service and your data are not affected, and nothing was deleted. Try again. If it happens again, the log helps to find the cause.';
      };
      'batch-confirm': {
        why: 'AWS waits for your word to run the job';
        body: 'AWS has read the manifest and changed nothing yet. Check the number of objects, then run the job or cancel it.';
      };
      'batch-failed': {
        why: 'AWS ended the job as failed';
        body: 'What AWS did before that stays done. Read its reasons below and the report, then start a new job for the rest. Trying this one again would change nothing.';
      };
      'batch-items-failed': {
        why: 'some of its objects failed';
        body: 'AWS has gone through the whole manifest: everything else is done. The report names each object that failed, and why. Start a new job for those.';
      };
      'manifest-taken': {
        why: 'another object is at the key of the manifest';
        body: 'Nothing was overwritten, and no job was created. Delete or rename that object and try again, or cancel this job and choose another key.';
      };
    };
    transferReasons: {
      'by-user': 'It continues where it stopped when you resume it.';
      'needs-new-keys': 'The keys of the connection have expired. Finished items stay. Enter new keys in the connection, and the transfer continues by itself.';
      'quota-full': 'Your account may not store more on this disk. Finished items stay, and no incomplete file has its final name. Delete files or get a larger quota, then resume.';
      'disk-full': 'Finished items stay, and no incomplete file has its final name. Free some space, then resume.';
      'connection-missing': 'Finished items stay. Add the connection again, or clear this transfer.';
      'access-denied': 'The key of the connection has no permission to do this. Have the permission granted or use another key, then try again.';
      refused: 'Trying again without a change will not help. The log shows the service’s answer. Finished items stay.';
    };
    reasonParts_one: 'Part {{parts}}.';
    reasonParts_other: 'Parts {{parts}}.';
    failedItems: {
      label: 'Failed items';
      count_one: '{{count, number}} item failed:';
      count_other: '{{count, number}} items failed:';
      more: 'and {{rest}} more.';
      why: {
        'quota-full': 'your disk quota is used up';
        'drive-stale': 'the network drive no longer knows it: connect the drive again, then try again';
        'link-dangling': 'it is a link to a file that does not exist';
        'still-there': 'the service reported it deleted, but it is still there';
        'record-damaged': 'Cooper’s own record of it was damaged. Cooper kept the damaged record and did nothing with this item: start a new transfer for it';
        'file-missing': 'the file no longer exists';
        'file-changed': 'the file changed during the upload';
        'file-unreadable': 'the file cannot be read';
        'folder-unwritable': 'the system does not let Cooper write there';
        'folder-missing': 'the folder no longer exists';
        'name-too-long': 'the path is too long for this system';
        'in-the-way': 'something else has its name';
        'unsafe-path': 'a link on the way leads elsewhere';
        'local-failed': 'the disk had an error';
        'object-changed': 'the object kept changing during the download';
        'key-too-long': 'the key would be longer than 1024 bytes';
        'name-taken': 'no free name was found';
        'source-in-the-way': 'another object of this move is still there; try again after the others have moved';
        'outside-base': 'it is not in the folder you chose';
        'acl-not-carried': 'its permissions (ACL) could not be copied; the object stays in place';
        'change-not-stored': 'the service reports success, but did not store the change';
        'copy-unverified': 'the copy could not be verified; the original is unchanged';
        'too-large-to-copy': 'it is too large for this service to copy';
        'object-unreadable': 'the object exists, but the service cannot read it; the original is unchanged';
        'upload-contradicted': 'the service lists its parts, but says that it does not know the upload; the parts are still stored';
        'not-carried-out': 'the service reports success, but made no object; the parts are still stored';
        'no-answer-for-key': 'the service did not report a result for it';
        'length-differs': 'damaged at every attempt: expected {{expected}} bytes, received {{got}}';
        'md5-differs': 'damaged at every attempt: the ETag gives MD5 {{expected}}, the content has {{got}}';
        'etag-differs': 'damaged at every attempt: expected ETag {{expected}}, received {{got}}';
        'checksum-differs': 'damaged at every attempt: expected checksum {{expected}}, received {{got}}';
        'stored-damaged': 'the service stored other bytes at every attempt: Cooper sent {{expected}}, the service reports {{got}}';
        'upload-has-gaps': 'parts are missing between others; open it under Stalled uploads to decide';
        'upload-being-written': 'a part arrived within the last 15 minutes, so someone is probably still sending';
        'key-taken': 'an object exists at its key; complete it on its own to replace the object';
        'no-parts': 'no parts are stored, so there is nothing to complete';
        'part-too-small': 'a part before the last one is smaller than 5 MiB, which services do not accept';
        'too-many-parts': 'it has more than 10,000 parts';
        'gaps-with-checksums': 'parts are missing, and it has checksums: services do not complete such uploads';
        'job-exists': 'another transfer is working on it';
        'outcome-unknown': 'it is not known yet whether it was completed; cancel that transfer first';
        'target-changed': 'another object has appeared at its key; nothing was replaced';
        'parts-changed': 'its parts have changed since you checked it';
      };
      keepUnverified: 'Keep as “{{name}}”';
      keepUnverifiedHint: 'Nothing shows that this file is complete and correct.';
    };
    notedItems: {
      label: 'Notes';
      count_one: '{{count, number}} item has a note:';
      count_other: '{{count, number}} items have notes:';
      notes: {
        renamed: 'its name was taken, so it is now “{{name}}”';
        'hidden-in-home': 'a file in your home folder that programs such as your shell run or follow';
        escaped: 'this system does not allow the name, so the file is called “{{name}}”; it gets its own name back when you upload it';
        'special-file': 'skipped: not an ordinary file';
        'symlink-loop': 'skipped: a circular link';
        'own-data': 'skipped: Cooper’s own data folder';
        'link-outside': 'skipped: a link that leads out of the chosen folder';
        'name-unreadable': 'skipped: its name is not Unicode';
        'key-too-long': 'skipped: its key would be longer than 1024 bytes';
        'unsafe-path': 'skipped: it would be outside the chosen folder';
        'copy-kept': 'its copy stays, because the copy or its original has changed since';
        unverified: 'the content does not match the service’s description; you kept it as “{{name}}”';
        'not-verified': 'not verified: the service reports no checksum';
        'changed-since': 'left unchanged, because it has changed since';
        'acl-unread': 'your key has no permission to read its permissions (ACL), so they were not copied: now only the owner has access';
        'encryption-changed': 'it has the default encryption of its new bucket, not its former key (KMS, or your own): permissions of that key no longer protect it. To keep such a key, make it the bucket’s default encryption before you copy or move, or upload with that key';
        'acl-unread-encryption-changed': 'your key has no permission to read its permissions (ACL), so they were not copied: now only the owner has access. It also has the default encryption of its new bucket, not its former key (KMS, or your own): to keep such a key, make it the bucket’s default encryption before you copy or move, or upload with that key';
        'still-listed': 'the service reported it deleted but still lists it, so it may still exist and cost money. Open its folder again later, and delete it again if it is still there';
        'not-kept': 'not undone: what was there before was not kept';
        replaced: 'back in its place; its copy stays, because what the copy replaced was not kept';
        'upload-gone': 'the service no longer knew this upload';
        'abort-unchecked': 'the service accepted the abort but does not list the parts, so Cooper could not verify that they are deleted';
      };
    };
    actions: {
      named: '{{action}}: {{name}}';
      label: 'Actions for {{name}}';
      pause: 'Pause';
      resume: 'Resume';
      retryNow: 'Try again now';
      lookNow: 'Check now';
      runFirst: 'Move to the front of the queue';
      runLast: 'Move to the end of the queue';
      cancel: 'Cancel…';
      clear: 'Clear';
      log: 'Log';
      answerConflicts: 'Decide…';
      editConnection: 'Edit connection';
      giveFile: 'Choose the file…';
      openUpload: 'Show upload';
      openObject: 'Show object';
      replace: 'Replace…';
      showInFolder: 'Show in folder';
      uploadAnew: 'Upload the file again';
      pauseAll: 'Pause all';
      resumeAll: 'Resume all';
      clearFinished: 'Clear finished';
      settings: 'Transfer settings';
      close: 'Hide transfers';
      runBatch: 'Run the job…';
      showReport: 'Show the report';
    };
    dragOut: 'Drag to the desktop, a folder, or another program';
    pickFile: 'Choose the file “{{name}}”';
    pickAnyFile: 'Choose the file for {{name}}';
    cancelDialog: {
      title_one: 'Cancel this transfer?';
      title_other: 'Cancel {{count, number}} transfers?';
      body: 'The upload and its parts stay on the service, under Stalled uploads. You can resume it later.';
      bodyTransfer: 'Finished items stay as they are.';
      'body-copy': 'Copied objects stay. Cooper deletes unfinished copies.';
      'body-move': 'Cooper deletes the copies whose originals are still there. Items already moved stay in their new place.';
      bodyAbort: 'Cooper stops deleting the upload. Some of its parts may already be deleted.';
      bodyCompleting: 'The service is assembling the object. Cancelling does not stop it: the object may still appear.';
      confirm: 'Cancel transfer';
      keep: 'Continue transfer';
      'body-abort-many': 'Uploads that Cooper has aborted stay aborted. The rest stay as they are.';
      'body-complete-many': 'Uploads that Cooper has completed stay objects. The rest stay under Stalled uploads.';
      'body-resume-many': 'Finished uploads stay objects. Stored parts of the rest stay under Stalled uploads.';
      'body-batch': 'AWS is told to stop. It finishes the objects that it is working on, and what it has done stays.';
    };
    cancelUpload: {
      title: 'Cancel the upload?';
      body_one: '{{size}} of {{count, number}} unfinished file is stored on the service. Keep the parts to finish it later from Stalled uploads, or delete them. Until then they cost storage.';
      body_other: '{{size}} of {{count, number}} unfinished files are stored on the service. Keep the parts to finish them later from Stalled uploads, or delete them. Until then they cost storage.';
      goOn: 'Continue upload';
      keep: 'Keep the parts, finish later';
      delete: 'Delete the parts';
      kept_one: 'Cooper could not delete the parts of {{count, number}} upload. They are under Stalled uploads.';
      kept_other: 'Cooper could not delete the parts of {{count, number}} uploads. They are under Stalled uploads.';
    };
    replaceDialog: {
      title: 'Replace the object at this key?';
      present: 'An object of {{bytes}}, modified {{date}}, is at this key now. Completing the upload replaces it.';
      presentUndated: 'An object of {{bytes}} is at this key now. Completing the upload replaces it.';
      absent: 'The object at this key kept changing and no longer exists. Completing the upload creates it.';
      unknown: 'Cooper has no permission to check this key, and the service reports that it is taken. Completing the upload replaces its object.';
      confirm: 'Replace';
      keep: 'Keep';
    };
    clearDialog: {
      title_one: 'Clear {{count, number}} transfer?';
      title_other: 'Clear {{count, number}} transfers?';
      body: 'This removes them and their logs from the list. Nothing changes on the service.';
      attention: 'It includes transfers that need attention. Their uploads stay on the service.';
      confirm: 'Clear';
      keep: 'Keep';
    };
    cleared_one: 'Cleared {{count, number}} transfer';
    cleared_other: 'Cleared {{count, number}} transfers';
    log: {
      title: 'Log of “{{name}}”';
      close: 'Close the log';
      label: 'Requests of this transfer';
      empty: 'No requests yet.';
      older: 'Load older lines';
      columns: {
        time: 'Time';
        request: 'Request';
        part: 'Part';
        status: 'Status';
        requestId: 'Request ID';
        result: 'Result';
      };
      ok: 'OK';
      copy: 'Copy the log';
      loading: 'Loading…';
      requests: {
        'list-parts': 'List the parts';
        'put-object': 'Upload a file';
        'get-object': 'Download an object';
        'create-upload': 'Start a multipart upload';
        'list-objects': 'List the objects';
        'head-object': 'Check the object';
        'upload-part': 'Send a part';
        complete: 'Complete';
        abort: 'Abort';
        hash: 'Compare with the file';
        'copy-object': 'Copy an object';
        'copy-part': 'Copy a part';
        'delete-object': 'Delete an object';
        'delete-objects': 'Delete objects';
        'list-versions': 'List the versions';
        'get-tags': 'Read the tags';
        'put-tags': 'Write the tags';
        'delete-bucket': 'Delete the bucket';
        'put-acl': 'Write the permissions';
        'create-batch': 'Create the job on AWS';
        'describe-batch': 'Ask how far the job is';
        'tell-batch': 'Change the state of the job';
        'find-batch': 'Look for the job';
        'remove-file': 'Delete a local file';
        other: '{{name}}';
      };
    };
    settings: {
      title: 'Transfer settings';
      parallel: 'Parts at once, per transfer';
      jobsAtOnce: 'Transfers at once';
      bandwidth: 'Speed limit, in MB/s';
      bandwidthHint: 'Leave empty for no limit. The limit applies to all transfers together.';
      parallelInvalid: 'Type a whole number from 1 to 64.';
      bandwidthInvalid: 'Type a number above 0.';
      save: 'Save';
      cancel: 'Cancel';
      memory: 'Cooper holds at most this many parts in memory.';
    };
    toast: {
      done: 'Finished: {{name}}';
      aborted: 'Aborted: {{name}}';
      manyDone_one: '{{count, number}} transfer finished';
      manyDone_other: '{{count, number}} transfers finished';
      manyAttention_one: '{{count, number}} transfer needs attention';
      manyAttention_other: '{{count, number}} transfers need attention';
      show: 'Show';
      undo: 'Undo';
    };
    failed: 'Cooper cannot show the transfers';
    actionFailed: 'Cooper could not do this';
    windowTitle: '{{percent}} % · {{title}}';
    windowTitleRunning: '… · {{title}}';
    undone: {
      title: 'Undo: {{name}}';
      redoTitle: 'Redo: {{name}}';
      done_one: 'Done. Took back {{count, number}} item';
      done_other: 'Done. Took back {{count, number}} items';
      redone_one: 'Done. Did {{count, number}} item again';
      redone_other: 'Done. Did {{count, number}} items again';
    };
    uploads_one: '{{done}} of {{total}} upload';
    uploads_other: '{{done}} of {{total}} uploads';
    freed: '{{bytes}} freed';
    severalBuckets: 'several buckets';
    manyReasons: {
      'abort-many': 'some uploads could not be aborted';
      'complete-many': 'some uploads were not completed';
      'resume-many': 'some uploads were not finished';
      copy: 'some of it could not be copied';
      move: 'some of it could not be moved';
      rename: 'some of it could not be renamed';
      delete: 'some of it could not be deleted';
      change: 'some objects could not be changed';
    };
    report: { save: 'Save report…'; title: 'Save the report of this transfer'; saved: 'Saved {{name}}' };
    objects_one: '{{done}} of {{total}} object';
    objects_other: '{{done}} of {{total}} objects';
    batch: {
      label: 'The job on AWS';
      manifest: 'Uploading the manifest';
      creating: 'Creating the job on AWS';
      creatingAgain: 'Asking AWS again for the job: no answer has come yet';
      confirming: 'Telling AWS to run the job';
      cancelling: 'Cancelling the job on AWS';
      asking: 'Asking AWS how far the job is';
      status: {
        New: 'New: AWS has the job';
        Preparing: 'Preparing: AWS is reading the manifest';
        Suspended: 'Suspended: AWS waits until the job may run';
        Ready: 'Ready: the job waits for its turn on AWS';
        Active: 'Active: {{done}} of {{total}} done, {{failed}} failed';
        Pausing: 'Pausing on AWS, for a job with a higher priority';
        Paused: 'Paused on AWS, for a job with a higher priority';
        Completing: 'Completing: AWS is finishing the job';
        Cancelling: 'Cancelling: AWS is finishing what it has begun';
        Failing: 'Failing: AWS is ending the job';
        Complete: 'Done: {{done}} done, {{failed}} failed';
        Cancelled: 'Cancelled on AWS';
        Failed: 'Failed on AWS';
      };
      complete: 'Done. AWS has gone through the whole manifest: {{done}} of {{total}} done';
      completeFailed: 'Needs attention: {{failed}} of {{total}} failed. The report names them';
      cancelled: 'Cancelled. {{done}} of {{total}} were done before, {{failed}} failed; what was done stays';
      operation: 'Operation';
      operations: {
        tag: 'Replace all tags with {{tags}}';
        copy: 'Copy to {{place}}';
        copyClass: 'Copy to {{place}} as {{storageClass}}';
        restore_one: 'Restore for {{count, number}} day ({{tier}})';
        restore_other: 'Restore for {{count, number}} days ({{tier}})';
        expire: 'Tag for deletion with {{tags}}';
      };
      objects: 'Objects in the manifest';
      serviceId: 'Job ID';
      noServiceId: 'not made yet';
      account: 'Account and region';
      manifestPlace: 'Manifest';
      reportPlace: 'Report';
      reportLater: 'AWS writes it when the job has ended.';
      failures: 'Why it failed';
      show: 'Show';
      runTitle: 'Run this job?';
      runBody_one: 'AWS has counted {{total}} object in the manifest.';
      runBody_other: 'AWS has counted {{total}} objects in the manifest.';
      runConfirm: 'Run the job';
      runKeep: 'Not yet';
      reason: 'AWS says';
    };
  };
  links: {
    title: 'Link to {{name}}';
    kind: 'The link allows';
    kinds: { get: 'Download'; put: 'Upload'; plain: 'Plain address' };
    kindHelp: {
      get: 'Anyone with this link can download the object until the link expires, without an account.';
      put: 'Anyone with this link can upload a file in place of this object until the link expires. The upload replaces the object.';
      plain: 'Works only while everyone may read the object. It has no signature and does not expire.';
    };
    anonymous: 'This connection has no keys, so Cooper cannot sign a link. The plain address works while everyone may read the object.';
    expiry: 'Expires after';
    expiries: {
      '900': '15 minutes';
      '3600': '1 hour';
      '43200': '12 hours';
      '86400': '1 day';
      '259200': '3 days';
      '604800': '7 days (the maximum)';
    };
    own: 'Custom…';
    ownDays: 'Days';
    ownHours: 'Hours';
    ownMinutes: 'Minutes';
    ownInvalid: 'Choose between one minute and seven days.';
    options: 'Response headers';
    disposition: 'In the browser';
    dispositions: { asIs: 'As stored'; inline: 'Show'; attachment: 'Save as a file' };
    contentType: 'Content type';
    contentTypePlaceholder: 'As stored';
    endsAt: 'This link expires on {{time}}.';
    endsWithKeys: 'This link expires with its session keys, at {{time}}. That is sooner than you asked for.';
    endsWithUnknownKeys: 'This link expires on {{time}} at the latest. It was signed with session keys and expires with them, at a time that Cooper does not know.';
    endsNever: 'This address does not expire.';
    url: 'Link';
    copy: 'Copy the link';
    creating: 'Signing the link…';
    qr: 'QR code of the link';
    qrTooLong: 'This link is too long for a QR code, because temporary keys make links long. Copy it as text.';
    caution: 'Treat it like a password. Cooper does not store it, and you cannot revoke it before it expires.';
    dots: 'The key has “.” or “..” between slashes. Browsers remove those from an address and request another object. Use curl --path-as-is instead.';
    putHint: 'Upload with: curl -T FILE "the link"';
  };
  map: {
    title: 'Map of {{name}}';
    toolbar: 'Map';
    picture: 'What takes the space in {{name}}. The Table tab lists the same.';
    table: 'Folders and objects by size';
    refresh: 'Read again';
    stop: 'Stop';
    objects_one: '{{number}} object';
    objects_other: '{{number}} objects';
    folders_one: '{{number}} folder';
    folders_other: '{{number}} folders';
    files_one: '{{number}} other object';
    files_other: '{{number}} other objects';
    smaller_one: '{{number}} smaller folder';
    smaller_other: '{{number}} smaller folders';
    newestAt: 'Newest: {{time}}';
    total: '{{size}} · {{objects}} · {{folders}}';
    reading_one: 'Reading… {{number}} request';
    reading_other: 'Reading… {{number}} requests';
    refreshing_one: 'Reading again… {{number}} object';
    refreshing_other: 'Reading again… {{number}} objects';
    asOf: '{{age}} old (read {{time}})';
    readIn: 'Read just now in {{span}}';
    justNow: 'Read just now';
    stopped: 'You stopped reading. The map shows what Cooper had read.';
    partial: 'The map shows what Cooper had read before it failed.';
    showAll: 'Show everything';
    unnamed_one: 'And {{number}} smaller object here ({{size}}). The list view shows it.';
    unnamed_other: 'And {{number}} smaller objects here ({{size}}). The list view shows them.';
    more_one: 'Show {{number}} object';
    more_other: 'Show {{number}} objects';
    largest: 'Largest objects';
    oldest: 'Oldest objects';
    listed: {
      size: 'Of the whole map’s largest objects ({{limit}}), this folder has {{number}}. Cooper does not list its smaller ones here.';
      time: 'Of the whole map’s oldest objects ({{limit}}), this folder has {{number}}. Cooper does not list its newer ones here.';
    };
    histogram: 'Last modified';
    measure: { label: 'Areas show'; size: 'Size'; objects: 'Number' };
    colouring: {
      label: 'Colours show';
      folder: 'Colour by folder';
      kind: 'Colour by type';
      age: 'Colour by age';
      storageClass: 'Colour by class';
    };
    panels: {
      label: 'Beside the map';
      totals: 'Totals';
      table: 'Table';
      objects: 'Objects';
      changes: 'Changes';
    };
    by: {
      kind: 'By type';
      age: 'By age';
      storageClass: 'By storage class';
      size: 'By size of object';
      owner: 'By owner';
    };
    sizes: { below: 'Below {{size}}'; larger: '{{size}} and more' };
    kinds: {
      file: 'Other';
      archive: 'Archives';
      audio: 'Audio';
      code: 'Code';
      document: 'Documents';
      image: 'Images';
      log: 'Logs';
      sheet: 'Tables';
      video: 'Video';
    };
    ages: {
      month: 'This month';
      quarter: 'Under 3 months';
      year: 'Under a year';
      threeYears: 'Under 3 years';
      older: 'Older';
      unknown: 'Not reported';
    };
    columns: { name: 'Name'; size: 'Size'; objects: 'Objects' };
    empty: { title: 'Nothing to map'; body: '{{name}} has no objects.' };
    emptyFolders: {
      title: 'Empty folders';
      body_one: '{{number}} object only stands for an empty folder.';
      body_other: '{{number}} objects only stand for empty folders.';
    };
    duplicates: {
      title: 'Duplicates';
      body: 'Objects with the same size and ETag. Objects sent in parts of other sizes, or encrypted with KMS, have other ETags.';
      find: 'Find duplicates';
      noCatalogue: 'Cooper needs a catalogue to compare objects. Allow catalogues in the settings, then read the bucket again.';
      found_one: '{{number}} extra copy takes {{size}}.';
      found_other: '{{number}} extra copies take {{size}}.';
      notExact: 'There are too many objects to compare them all. Cooper compared the larger ones.';
      group_one: '{{size}} each · {{number}} copy';
      group_other: '{{size}} each · {{number}} copies';
    };
    changes: {
      none: 'Cooper can compare two readings of this bucket. Read it again later to see what changed.';
      off: 'The settings allow no catalogues, so Cooper has nothing to compare.';
      before: 'From';
      after: 'To';
      same: 'Nothing changed between these two readings.';
      added: 'New';
      removed: 'Gone';
      changed: 'Changed';
      folders: 'Folders that changed';
      objects: 'Largest changes';
      here: 'In this folder itself';
      kinds: { added: 'New'; removed: 'Gone'; changed: 'Changed' };
    };
    growth: { title: 'Growth'; label: 'From {{from}} to {{to}} since {{since}}' };
    kept: {
      'too-large': 'Too large to keep. The settings set the limit.';
      failed: 'Cooper could not keep this catalogue.';
    };
    export: {
      menu: 'Export';
      csv: 'Folders as CSV';
      json: 'Folders as JSON';
      png: 'Picture as PNG';
      title: 'Export the map';
      saved_one: 'Saved {{number}} row to {{name}}';
      saved_other: 'Saved {{number}} rows to {{name}}';
    };
    spoken: { running: 'Cooper is reading the bucket.'; done: 'The map is ready.' };
    inventory: {
      asOf: 'From the inventory report of {{time}}';
      reading_one: 'Reading the inventory report… {{read}} of {{number}} file';
      reading_other: 'Reading the inventory report… {{read}} of {{number}} files';
      older_one: '{{number}} older version ({{size}}) is not in the map.';
      older_other: '{{number}} older versions ({{size}}) are not in the map.';
      markers_one: 'The report has {{number}} delete marker.';
      markers_other: 'The report has {{number}} delete markers.';
      part: 'This report lists only part of this folder. Cooper does not keep it as a catalogue.';
    };
  };
  objects: {
    emptyPages_one: 'The service has sent {{count, number}} page without an entry, and says that there is more. Still looking…';
    emptyPages_other: 'The service has sent {{count, number}} pages without an entry, and says that there is more. Still looking…';
    unreadable_one: '{{count, number}} entry could not be read and is not in the list.';
    unreadable_other: '{{count, number}} entries could not be read and are not in the list.';
    foreign_one: 'The service also listed {{count, number}} entry from outside this folder, which Cooper left out: {{example}}';
    foreign_other: 'The service also listed {{count, number}} entries from outside this folder, which Cooper left out, such as {{example}}';
    notUpdated: 'Cooper could not update this list. It shows what the service listed at {{time}}.';
    fromBefore: 'This list is from {{time}}. Later changes may be missing.';
    views: { label: 'View'; list: 'List'; gallery: 'Gallery'; map: 'Map' };
    gallery: { size: 'Size of pictures' };
    columns: {
      name: 'Name';
      size: 'Size';
      below: 'Size below';
      modified: 'Modified';
      storageClass: 'Storage class';
      type: 'Type';
      etag: 'ETag';
    };
    serviceOrder: 'in the service’s order';
    serviceOrderWhy: 'Until the whole folder is loaded, Cooper keeps the service’s order (by bytes).';
    table: 'Contents of {{name}}';
    kinds: { folder: 'Folder'; object: 'Object' };
    path: {
      label: 'Path';
      bucketTop: 'Bucket {{bucket}}';
      edit: 'Edit the path';
      field: 'Address: bucket/prefix or s3://bucket/prefix';
      invalid: 'Type a bucket, a slash and a prefix: bucket/prefix';
      hidden: 'More of the path';
      looking: 'Looking…';
      beside: 'Beside “{{name}}”';
      moreFolders: 'Show more';
      siblingsFailed: 'Not loaded. Try again';
    };
    find: {
      label: 'Find in this folder';
      choice: 'How to find';
      filter: 'Filter loaded items';
      startsWith: 'Name starts with (asks the service)';
      below: 'Search everywhere below';
      placeholders: {
        filter: 'Filter loaded items';
        startsWith: 'Start of the name, in upper and lower case as it is';
        below: 'Part of a name, here and in all folders below';
      };
      choices: { filter: 'Filter'; startsWith: 'Starts with'; below: 'Everywhere below' };
      criteria: 'More criteria…';
      search: 'Search';
      close: 'Close (Escape)';
      counts_one: '{{shown}} of {{loaded}} loaded item matches.';
      counts_other: '{{shown}} of {{loaded}} loaded items match.';
      notAll: 'The filter searches only the loaded part of this folder.';
      loadRest: 'Load the rest';
    };
    sort: {
      offer: 'To sort by {{column}}, Cooper has to load the rest of this folder.';
      load: 'Load and sort';
      notNow: 'Not now';
      loading: 'Loading the rest of this folder: {{loaded}} so far';
      busy: 'Sorting…';
      foldersFirst: 'Folders first';
      columnsLower: {
        name: 'name';
        size: 'size';
        below: 'size below';
        modified: 'date modified';
        storageClass: 'storage class';
        type: 'type';
        etag: 'ETag';
      };
      service: 'In the service’s order';
    };
    loadingFolder: 'Loading the folder…';
    empty: {
      title: 'This folder is empty';
      body: 'No objects have this prefix. Drop files here, or:';
      bucketTitle: 'This bucket is empty';
      bucketBody: 'Drop files and folders here, or:';
      placeholder: 'This folder holds only a placeholder object, which keeps it visible.';
      startsWithTitle: 'No names start with “{{text}}”';
      startsWithBody: 'The service matches upper and lower case.';
      showAll: 'Show the whole folder';
    };
    filterEmpty: {
      title: 'No loaded name contains “{{text}}”';
      body: 'Change the filter, or load more items.';
      bodyAll: 'The whole folder is loaded. Folders below it may have such a name.';
    };
    footer: {
      loading: 'Loading more…';
      more: 'More available';
      failed: 'This list is incomplete: the next page could not be loaded.';
    };
    status: {
      loaded_one: '{{rows}} item loaded';
      loaded_other: '{{rows}} items loaded';
      complete_one: '{{rows}} item';
      complete_other: '{{rows}} items';
      updating: 'from {{time}}, updating…';
      more: 'more available';
      partly: 'incomplete: the next page failed';
      selected_one: '{{rows}} selected';
      selected_other: '{{rows}} selected';
      folders_one: 'with {{rows}} folder';
      folders_other: 'with {{rows}} folders';
      request: 'Waiting for the service…';
      idle: 'No request in progress';
    };
    menu: {
      label: 'Actions for the selection';
      open: 'Open';
      openInTab: 'Open in a new tab';
      preview: 'Preview';
      copyKeys: 'Copy {{rows}} keys';
      thumbnails: 'Show thumbnail';
      details: 'Show details';
      selectAll: 'Select all loaded items';
      reload: 'Reload';
      copied: 'Copied';
      look: 'Look';
    };
    details: {
      label: 'Details';
      none: 'Select an object to see its details.';
      thisFolder: 'This folder';
      folder: 'Folder';
      many: '{{rows}} selected';
      manySize: '{{size}} in objects';
      manyFolders: 'Objects inside the selected folders are not counted.';
      object: 'Object';
      listing: 'From the list';
      head: 'From the service';
      metadata: 'Metadata';
      noMetadata: 'No metadata';
      headers: 'All response headers';
      loading: 'Loading the details…';
      addresses: 'Addresses';
      key: 'Key';
      prefix: 'Prefix';
      s3: 's3:// address';
      https: 'HTTPS address';
      copyValue: 'Copy: {{name}}';
      preview: 'Preview';
      fields: {
        size: 'Size';
        modified: 'Modified';
        storageClass: 'Storage class';
        etag: 'ETag';
        contentType: 'Content type';
        version: 'Version';
        encryption: 'Encryption';
        bucket: 'Bucket';
        loaded: 'Loaded';
      };
      sizeBoth: '{{short}} ({{exact}})';
      notSaid: 'Not reported';
    };
    copyAs: {
      menu: 'Copy as';
      key: 'Key';
      prefix: 'Prefix';
      s3Uri: 's3:// address';
      httpsUrl: 'HTTPS address';
      publicUrl: 'Public address';
      aws: 'aws s3 cp';
      rclone: 'rclone copy';
      curl: 'curl with a link for a day';
      change: 'Change the public address…';
      impossible: 'No line for a terminal can name this key.';
      dialog: {
        title: 'Public address of {{bucket}}';
        base: 'Address of the bucket for everybody';
        invalid: 'Enter an address that starts with https:// or http://, without a query.';
        help: 'Such as the address of a CDN. Cooper adds the key to it, and keeps it for this bucket.';
        forget: 'Forget';
        save: 'Save';
        placeholder: 'https://cdn.example.com';
      };
    };
  };
  operations: {
    menu: {
      newFolder: 'New folder…';
      rename: 'Rename…';
      cut: 'Cut';
      copy: 'Copy';
      paste: 'Paste';
      copyTo: 'Copy to…';
      moveTo: 'Move to…';
      delete: 'Delete…';
    };
    palette: {
      newFolder: 'New folder…';
      rename: 'Rename the selected object or folder…';
      cut: 'Cut the selection';
      copy: 'Copy the selection';
      paste: 'Paste into this folder';
      copyTo: 'Copy the selection to…';
      moveTo: 'Move the selection to…';
      delete: 'Delete the selection…';
      deleteVersions: 'Delete the selection with all of its versions…';
    };
    outdated: 'A transfer changed something in this bucket. This list may be out of date.';
    things: {
      objects_one: '{{number}} object';
      objects_other: '{{number}} objects';
      folders_one: '{{number}} folder';
      folders_other: '{{number}} folders';
      both: '{{folders}} and {{objects}}';
      files_one: '{{number}} file';
      files_other: '{{number}} files';
    };
    name: {
      label: 'Name';
      newLabel: 'New name';
      empty: 'Type a name.';
      emptyPart: 'This path has a folder without a name. Remove one of the slashes.';
      slash: 'A name cannot contain a slash. To put it into another folder, use “Move to…”.';
      tooLong: 'Too long: with its folders, a name can have {{limit, number}} bytes, and this one has {{bytes, number}}.';
      folderExists: 'A folder with this name already exists here.';
      objectExists: 'An object with this name already exists here.';
      same: 'This is its current name.';
      nested_one: 'Creates {{count, number}} folder.';
      nested_other: 'Creates {{count, number}} nested folders: {{path}}';
      lineBreaks: 'The name holds line breaks. Here ␊ and ␍ stand for them.';
      edges: 'The name starts or ends with a space. Some programs cannot handle that.';
    };
    newFolder: {
      title: 'New folder';
      where: 'In {{place}}';
      create: 'Create';
      existed: 'The folder {{name}} already exists.';
    };
    rename: {
      title: 'Rename {{name}}';
      confirm: 'Rename';
      object: 'S3 has no renaming: Cooper copies the object to its new name, verifies the copy, then deletes the original.';
      folder: 'S3 has no renaming: Cooper copies each object below this folder to its new name and verifies it, then deletes the originals.';
      folderWarning: 'Until then, other programs see both names.';
      only: 'Select one object or one folder to rename it.';
    };
    duplicate: {
      title: 'Duplicate {{name}}';
      body: 'You are pasting it into its own folder, so the copy needs a different name.';
      confirm: 'Duplicate';
      copyName: '{{name}} copy';
      copyNameNumbered: '{{name}} copy {{number, number}}';
    };
    count: {
      counting: 'Counting its content…';
      running: '{{things}}, {{size}} so far';
      total: '{{things}}, {{size}}';
      stopped: '{{things}}, {{size}} or more: you stopped the count';
      failed: '{{things}}, {{size}} or more: the count could not finish';
      stop: 'Stop counting';
      requests_one: 'Counted with {{number}} request';
      requests_other: 'Counted with {{number}} requests';
    };
    delete: {
      title: 'Delete {{things}}?';
      titleOne: 'Delete {{name}}?';
      titleOneFolder: 'Delete the folder {{name}}?';
      from: 'From {{place}}. This cannot be undone.';
      fromUnversioned: 'From {{place}}. Versions are not kept here, so this cannot be undone.';
      fromMarkers: 'From {{place}}. You can undo this: the versions stay.';
      fromSuspended: 'From {{place}}. This bucket keeps no new versions: objects without a version of their own cannot be brought back.';
      list: 'Items to delete';
      found: 'All search results, including those out of sight. Objects added after the search are not included.';
      more_one: 'and {{number}} more';
      more_other: 'and {{number}} more';
      withFolder: 'Cooper deletes everything below a folder, including what is added meanwhile.';
      notCounted: 'The count is not finished. Cooper deletes everything, counted or not.';
      versions: {
        label: 'This bucket keeps versions';
        markers: 'Add delete markers';
        markersBody: 'The versions stay, cost storage, and can be restored.';
        all: 'Delete all versions permanently';
        allBody: 'This deletes every version and every delete marker, including older ones, which are not in the count. They cannot be restored.';
        unknown: 'Cooper could not find out whether this bucket keeps versions. If it does, the versions stay.';
      };
      type: 'To delete this many, type {{word}}';
      word: 'delete';
      confirm: 'Delete';
      confirmAll: 'Delete all versions';
      cancel: 'Cancel';
    };
    move: {
      title: 'Move {{things}}?';
      body: 'From {{from}} to {{to}}.';
      how: 'Cooper copies each object, verifies the copy, then deletes the original. It asks before it overwrites anything.';
      noAcl: 'Permissions of single objects (ACLs) are not copied between connections: at the new place only the owner has access.';
      confirm: 'Move';
    };
    target: {
      copyTitle: 'Copy {{things}} to…';
      moveTitle: 'Move {{things}} to…';
      up: 'One level up';
      trail: 'Target';
      connections: 'Connections';
      list: 'Folders';
      address: 'Or type a place: bucket/prefix/';
      addressBad: 'Type a bucket, a slash and a folder.';
      loading: 'Loading…';
      none: 'This place has no folders. You can still choose it.';
      noBuckets: 'This connection lists no buckets. Type one below.';
      more: 'Load more folders';
      hint: 'Enter opens a folder. Backspace goes up.';
      goes: 'To {{place}}';
      copyHere: 'Copy here';
      moveHere: 'Move here';
      kind: 'Name';
    };
    started: {
      copy: 'Copying {{things}} to {{place}}';
      move: 'Moving {{things}} to {{place}}';
      rename: 'Renaming {{name}}';
    };
    clipboard: {
      copied: '{{things}} copied. Paste in another folder.';
      cut: '{{things}} cut. Paste in another folder, or press Escape to cancel.';
      nothing: 'There is nothing to paste: copy or cut something in this window first.';
    };
    refused: {
      title: 'Nothing was changed';
      'into-itself': 'A folder cannot be moved into itself.';
      'already-here': 'It is already in this folder.';
    };
    drag: {
      copy: 'Copy {{things}} to {{place}}';
      move: 'Move {{things}} to {{place}}';
      keys: 'Ctrl copies, Shift moves';
      keysMac: 'Option copies, Command moves';
      nowhere: 'Drag to a folder, a tab, or a bucket in the sidebar';
    };
    undo: {
      undo: 'Undo';
      redo: 'Redo';
      what: {
        rename: 'Undo rename of {{name}}';
        move: 'Undo move of {{name}}';
        copy: 'Undo copy of {{name}}';
        delete: 'Undo deletion of {{name}}';
        change: 'Undo change of {{name}}';
        'new-folder': 'Undo new folder {{name}}';
      };
      again: {
        rename: 'Redo rename of {{name}}';
        move: 'Redo move of {{name}}';
        copy: 'Redo copy of {{name}}';
        delete: 'Redo deletion of {{name}}';
        change: 'Redo change of {{name}}';
        'new-folder': 'Redo new folder {{name}}';
      };
      more_one: '{{name}} and {{count, number}} more';
      more_other: '{{name}} and {{count, number}} more';
      nothing: 'Nothing to undo';
      nothingBody: 'Cooper can undo the last 50 operations that are still in Transfers: renames, moves, copies, new folders, changed properties, and deletions where versions are kept.';
      nothingAgain: 'Nothing to redo';
      busy: 'Not finished yet';
      busyBody: 'What you did last is still under way, so nothing was undone or redone. Wait for it, or cancel it in Transfers.';
      impossible: 'Cannot be undone';
      impossibleBody: '{{what}}: what was there before was not kept. Nothing was changed now.';
      impossibleAgain: 'Cannot be redone';
      impossibleAgainBody: '{{what}}: this would replace or delete something without a way back. Nothing was changed now.';
      ask: '{{what}}?';
      askCopy: 'Cooper deletes the copies it made, as long as neither they nor their originals have changed since. The originals stay.';
      askOld: 'This was done {{time}}. Cooper leaves alone what has changed since.';
    };
  };
  prices: {
    title: 'Prices of {{name}}';
    estimate: 'An estimate.';
    about: 'about {{amount}}';
    lessThan: 'less than {{amount}}';
    atLeast: 'at least {{amount}}';
    unknown: 'no price known';
    month: '{{amount}} a month';
    open: 'Prices…';
    enter: 'Enter prices…';
    origins: {
      own: 'Counted with your own prices.';
      shipped: 'Counted with list prices: {{name}}.';
      example: 'The sample service costs nothing. As an example, counted with list prices: {{name}}.';
      none: 'Cooper knows no prices of this service. Enter yours to see what it costs.';
    };
    missing: {
      class: 'No price known for {{list}}.';
      some: 'Some prices are not known, so it may cost more: {{list}}.';
    };
    included: {
      storage: '{{size}} of storage';
      traffic: '{{size}} of downloads';
      some: 'Included each month for the whole account, and not taken off here: {{list}}.';
      fee: 'The account costs {{amount}} a month, which is not added here.';
    };
    folder: {
      title: 'Cost';
      hint: 'Small objects count as the smallest billed size of their class. Discounts and taxes are left out.';
      download: 'Downloading all of it: {{amount}}.';
      archived: 'Archived objects have to be restored first, which is not in this amount.';
    };
    change: {
      title: 'What the change costs';
      counting: 'Counting…';
      saves: 'It costs {{after}} a month instead of {{before}}: {{amount}} less.';
      costs: 'It costs {{after}} a month instead of {{before}}: {{amount}} more.';
      same: 'It costs {{after}} a month, as before.';
      once: 'Requests and retrieval cost {{amount}}, once.';
      onceEarly: 'Requests, retrieval and leaving the present class early cost {{amount}}, once. The rest of its smallest billed time is {{early}}.';
      paysBack_one: 'It pays for itself after {{count, number}} month.';
      paysBack_other: 'It pays for itself after {{count, number}} months.';
      paysBackSoon: 'It pays for itself within a month.';
      days_one: 'The service bills the new class for at least {{count, number}} day.';
      days_other: 'The service bills the new class for at least {{count, number}} days.';
      unknown: 'Cooper does not know what this change costs, because prices of these classes are missing.';
      uncounted: 'Cooper does not know what is in these folders. Open the map of the bucket once, and it can say what the change costs.';
      asOf: 'The folders are counted as of {{time}}.';
    };
    restore: {
      cost: 'The restore costs {{amount}}, including {{days}} of storage for the readable copies.';
      days_one: '{{count, number}} day';
      days_other: '{{count, number}} days';
      free: 'The restore costs nothing.';
      unknown: 'Cooper does not know what this restore costs.';
    };
    form: {
      explained: 'Leave out what you do not know: Cooper then says that the price is unknown, and never guesses.';
      name: 'Name of the list';
      currency: 'Currency';
      currencyHint: 'Three letters, such as USD or EUR';
      unit: 'Sizes are billed per';
      units: { GB: 'GB (1000³ bytes)'; GiB: 'GiB (1024³ bytes)' };
      unitNames: { GB: 'GB'; GiB: 'GiB' };
      traffic: 'Download to the internet, per GB';
      class: 'Storage class';
      newClass: 'Name of the class';
      addClass: 'Add a class';
      removeClass: 'Remove the class';
      startFrom: 'Begin with the list of';
      startNothing: 'Choose…';
      source: '{{date}}, from {{source}}';
      ownSource: 'Entered by you';
      save: 'Save';
      cancel: 'Cancel';
      useShipped: 'Use Cooper’s list';
      more: 'Archive and rarely used prices';
      account: 'For the whole account: fee, included amounts, batch jobs';
      saved: 'Prices saved';
    };
    figures: {
      storagePerGbMonth: 'Storage, per GB and month';
      smallestBytes: 'Smallest billed size, in bytes';
      smallestDays: 'Smallest billed time, in days';
      overheadBytes: 'Extra bytes stored per object';
      overheadStandardBytes: 'Extra bytes per object, billed as STANDARD';
      writePer1000: '1,000 requests that write';
      listPer1000: '1,000 requests that list';
      readPer1000: '1,000 requests that read';
      retrievalPerGb: 'Retrieval, per GB';
      standardRestorePerGb: 'Standard restore, per GB';
      standardRestorePer1000: 'Standard restore, 1,000 objects';
      bulkRestorePerGb: 'Bulk restore, per GB';
      bulkRestorePer1000: 'Bulk restore, 1,000 objects';
      expeditedRestorePerGb: 'Expedited restore, per GB';
      expeditedRestorePer1000: 'Expedited restore, 1,000 objects';
      trafficPerGb: 'Download to the internet, per GB';
      monthlyFee: 'Fee, per month';
      includedStorageGb: 'Storage included each month, in {{unit}}';
      includedTrafficGb: 'Downloads included each month, in {{unit}}';
      batchPerJob: 'S3 Batch Operations, per job';
      batchPerMillion: 'S3 Batch Operations, 1,000,000 objects';
    };
    faults: {
      name: 'Give the list a name.';
      currency: 'Type the three letters of a currency.';
      'no-class': 'Add a storage class.';
      'class-empty': 'Give the class a name.';
      'class-twice': 'There is a class with this name already.';
      negative: 'Type a number, 0 or more, or nothing.';
      'too-large': 'This number is too large.';
    };
    download: {
      line: 'Download: {{amount}}, an estimate.';
      uncounted: 'Download: cost not known, because Cooper has not counted this folder.';
      count: 'Count in the map';
      example: 'The sample buckets cost nothing: this is an example.';
      askTitle: 'Download for {{amount}}?';
      retrieval: 'Reading these storage classes costs {{amount}} of it (retrieval).';
      confirm: 'Download';
      cancel: 'Cancel';
    };
  };
  properties: {
    title: 'Properties of {{name}}';
    titleMany_one: 'Properties of {{count}} item';
    titleMany_other: 'Properties of {{count}} items';
    loading: 'Reading the properties…';
    tabs: {
      general: 'General';
      metadata: 'Metadata';
      tags: 'Tags';
      access: 'Access';
      lock: 'Lock';
      archive: 'Archive';
    };
    sample_one: 'These are the values of {{read}} object. The change applies to all selected items.';
    sample_other: 'These are the values of the first {{read}} objects. The change applies to all selected items.';
    folders: 'The change applies to every object in the selected folders. Cooper does not read their values first.';
    unread_one: 'Cooper could not read {{count}} object.';
    unread_other: 'Cooper could not read {{count}} objects.';
    various: '(various)';
    keep: 'Leave empty to keep the current values.';
    fields: {
      contentType: 'Content type';
      cacheControl: 'Cache-Control';
      contentDisposition: 'Content-Disposition';
      contentEncoding: 'Content-Encoding';
      contentLanguage: 'Content-Language';
      expires: 'Expires';
      storageClass: 'Storage class';
      encryption: 'Encryption';
    };
    expiresInvalid: 'Type a time such as 2027-01-31T12:00:00Z.';
    contentTypeNeeded: 'An object needs a content type.';
    notEncrypted: 'Not reported';
    removeValue: 'Remove';
    removedValue: 'Will be removed';
    keepValue: 'Keep';
    name: 'Name';
    value: 'Value';
    add: 'Add';
    remove: 'Remove {{name}}';
    undo: 'Keep {{name}}';
    nameInvalid: 'Use only letters, digits and hyphens.';
    nameTwice: 'This name already exists.';
    nameMissing: 'Type a name.';
    noMetadata: 'No metadata';
    noTags: 'No tags';
    metadataHelp: 'User metadata (x-amz-meta-…). The service stores names in lower case.';
    tagsHelp: 'Changing tags does not copy the object: it keeps its time and ETag.';
    tooManyTags: 'An object can have at most 10 tags.';
    resets: {
      title: 'Effects of this change';
      body: 'The service cannot change this in place. Cooper copies each object onto itself:';
      'last-modified': 'it gets a new modification time,';
      acl: 'its permissions (ACL) stay, unless your key cannot read them: then they become private,';
      'new-version': 'if the bucket keeps versions, this adds one and the previous one stays,';
      etag: 'the ETag may change for objects uploaded in parts,';
      retention: 'a lock or retention stays with the old version.';
      confirm: 'I have read this';
    };
    classUnknown: 'Cooper does not know whether this service has the class {{name}}. If it does not, it refuses this change, and the objects stay as they are.';
    nothing: 'No changes yet.';
    apply: 'Apply';
    applyMany: 'Apply to {{count}} items';
    cancel: 'Cancel';
    close: 'Close';
    started: 'The change is running. See Transfers.';
    notSupported: {
      tags: 'This service does not support tags.';
      acl: 'This service does not support permissions of single objects (ACLs).';
      lock: 'This service does not support object lock.';
    };
    denied: 'Your key has no permission to read this.';
    onlyOne: 'Select a single object to see and change this.';
    acl: {
      owner: 'Owner';
      grants: 'Permissions';
      canned: 'Change to';
      cannedOther: 'Custom (as listed)';
      apply: 'Set permissions';
      done: 'Permissions set';
      help: 'A preset replaces all permissions listed here.';
      publicWarning: 'Everyone on the internet can then read this object.';
      publicWriteWarning: 'Everyone on the internet can then read and overwrite this object.';
      sets: {
        private: 'Private: owner only';
        'public-read': 'Everyone can read';
        'public-read-write': 'Everyone can read and write';
        'authenticated-read': 'Everyone with an account can read';
        'bucket-owner-read': 'The bucket owner can read';
        'bucket-owner-full-control': 'The bucket owner has full control';
      };
      grantees: { owner: 'Owner'; everybody: 'Everyone'; 'any-account': 'Everyone with an account' };
      permissions: {
        FULL_CONTROL: 'full control';
        READ: 'read';
        WRITE: 'write';
        READ_ACP: 'read the permissions';
        WRITE_ACP: 'change the permissions';
      };
    };
    lock: {
      none: 'This bucket was created without object lock, so its objects cannot be locked.';
      legalHold: 'Legal hold';
      legalHoldHelp: 'While it is on, nobody can delete this version.';
      retention: 'Retention';
      noRetention: 'None';
      modes: {
        GOVERNANCE: 'Governance: users with the permission can end it early';
        COMPLIANCE: 'Compliance: nobody can shorten or end it';
      };
      until: 'Until';
      untilInvalid: 'Choose a date in the future.';
      complianceWarning: 'You cannot undo compliance: until that date nobody can delete this version, not even the account owner.';
      complianceConfirm: 'I understand that this cannot be undone';
      bypass: 'End or shorten the governance retention (needs its own permission)';
      apply: 'Set retention';
      done: 'Retention set';
      holdOn: 'Legal hold is on';
      holdOff: 'Legal hold is off';
    };
    archive: {
      state: {
        readable: 'You can read this object at any time.';
        archived: 'This object is archived. Restore it before you read it.';
        'being-restored': 'The service is restoring it. Depending on the speed, this takes minutes to two days.';
        restored: 'A readable copy is available until {{until}}.';
        restoredOpen: 'A readable copy is available.';
      };
      many_one: '{{count}} of the objects read is archived.';
      many_other: '{{count}} of the objects read are archived.';
      days: 'Keep the readable copy, in days';
      tier: 'Speed';
      tiers: {
        Expedited: 'Expedited: minutes, most expensive';
        Standard: 'Standard: hours';
        Bulk: 'Bulk: up to two days, cheapest';
      };
      cost: 'The service charges for restoring and for the copy while it exists.';
      apply: 'Restore';
      result: {
        started: 'Restoring started.';
        prolonged: 'The readable copy is kept longer.';
        'in-progress': 'The service is already restoring it.';
        'not-archived': 'It is not archived, so there is nothing to restore.';
        failed: 'The service refused.';
      };
      results: '{{started}} started, {{already}} already restoring or readable, {{failed}} refused.';
    };
  };
  requestLog: {
    title: 'Request log';
    explained: 'Every request to your storage, newest first. Send this to your provider when you ask for help: it contains no secrets.';
    filter: 'Filter by text';
    filterPlaceholder: 'bucket, key, request ID…';
    status: 'Status';
    statuses: { all: 'All'; ok: 'Succeeded'; failed: 'Failed'; retried: 'Retried' };
    connection: 'Connection';
    anyConnection: 'All connections';
    columns: {
      time: 'Time';
      method: 'Method';
      path: 'Path';
      status: 'Status';
      duration: 'Duration';
      try: 'Attempt';
      requestId: 'Request ID';
    };
    ms: '{{ms}} ms';
    seconds: '{{seconds}} s';
    tryNumber: 'attempt {{number}}';
    noAnswer: 'no answer';
    copyLine: 'Copy this line';
    copied: 'Copied';
    copyFailed: 'The clipboard could not be used.';
    exportText: 'Save as text';
    exportJson: 'Save as JSON';
    export: 'Save…';
    exportFailed: 'Cooper could not save the log.';
    clear: 'Clear';
    clearFailed: 'Cooper could not clear the log.';
    clearTitle: 'Clear the request log?';
    clearBody: 'This removes all lines of all connections. Nothing else changes.';
    clearConfirm: 'Clear';
    clearCancel: 'Keep';
    empty: { title: 'No requests yet'; body: 'Requests appear here as soon as Cooper contacts a service.' };
    noneFits: 'No matching requests.';
    count_one: '{{count}} request';
    count_other: '{{count}} requests';
    countFiltered: '{{shown}} of {{count}}';
    older: 'Load older lines';
    loading: 'Loading…';
    details: 'Request details';
    closeDetails: 'Close details';
    pickOne: 'Select a line to see its details.';
    fields: {
      startedAt: 'Started';
      operation: 'Operation';
      path: 'Request';
      host: 'Host';
      status: 'Status';
      durationMs: 'Duration';
      tryNumber: 'Attempt';
      requestId: 'Request ID';
      requestBytes: 'Sent';
      responseBytes: 'Received';
      error: 'Error';
    };
    live: 'New lines appear at the top.';
  };
  s3Links: {
    title: 'Open this place?';
    body: 'A link asks Cooper to show a place in a bucket. Cooper has not contacted any service yet.';
    bucket: 'Bucket';
    prefix: 'Folder';
    top: 'The top of the bucket';
    twoReadings: 'This link has two possible meanings.';
    connection: 'Connection';
    noConnection: 'You have not added a connection yet. The sample connection opens only sample buckets.';
    addConnection: 'Add a connection…';
    open: 'Open';
  };
  search: {
    fromCatalogue: {
      note: 'Cooper searched its catalogue of {{time}}. Newer objects are not in it.';
      service: 'Search the service';
    };
    inBucket: 'in all of {{name}}';
    inFolder: 'in {{name}}';
    widen: 'Search the whole bucket';
    submit: 'Search';
    again: 'Search again';
    label: 'Search for';
    kind: 'Match';
    kinds: { contains: 'Contains'; glob: 'Pattern'; regex: 'Regular expression' };
    text: 'Name';
    literal: '“Contains” treats * and ? as ordinary characters.';
    useAsPattern: 'Use as a pattern';
    placeholders: {
      contains: 'Part of the name; empty finds everything';
      glob: '*.jpg, 2024-??-*, photos/**/*.{jpg,png}';
      regex: '^IMG_\\d{4}\\.jpe?g$';
    };
    in: 'Compare';
    ins: { name: 'Name'; path: 'Full path' };
    caseSensitive: 'Match case';
    minSize: 'Minimum size';
    maxSize: 'Maximum size';
    minUnit: 'Unit of the minimum size';
    maxUnit: 'Unit of the maximum size';
    units: { B: 'bytes'; kB: 'kB'; MB: 'MB'; GB: 'GB'; TB: 'TB' };
    modified: 'Modified';
    presets: {
      any: 'Any time';
      day: 'Last 24 hours';
      week: 'Last 7 days';
      month: 'Last 30 days';
      year: 'Last 365 days';
      'before-year': 'Over 365 days ago';
      between: 'Date range…';
    };
    fromDay: 'From';
    toDay: 'To';
    storageClass: 'Storage class';
    anyClass: 'Any';
    conditions: 'More conditions';
    conditionsSet_one: 'More conditions ({{count}} set)';
    conditionsSet_other: 'More conditions ({{count}} set)';
    clear: 'Clear';
    problems: {
      regex: 'Invalid regular expression: {{why}}.';
      pattern: 'Invalid pattern. {{why}}';
      size: 'Type a number such as 10 or 1.5.';
      'size-order': 'This is less than the minimum size.';
      day: 'Choose a date.';
      'day-order': 'This is before the first date.';
    };
    start: {
      title: 'Find objects at any depth';
      body: 'Cooper lists everything below this place and shows matches at once. You can stop at any time and keep the results.';
    };
    progress: {
      running_one: '{{matches}} found so far in {{keys}} key';
      running_other: '{{matches}} found so far in {{keys}} keys';
      done_one: '{{matches}} found in {{keys}} key';
      done_other: '{{matches}} found in {{keys}} keys';
      stopped_one: 'Stopped: {{matches}} found in {{keys}} key. There may be more.';
      stopped_other: 'Stopped: {{matches}} found in the first {{keys}} keys. There may be more.';
      failed_one: 'Incomplete: {{matches}} found in the {{keys}} key read.';
      failed_other: 'Incomplete: {{matches}} found in the {{keys}} keys read.';
      bytes: '{{size}} in total';
      bytesSoFar: '{{size}} so far';
      requests_one: '{{number}} request';
      requests_other: '{{number}} requests';
      pieces_one: '{{number}} piece at a time';
      pieces_other: '{{number}} pieces at a time';
      took: 'in {{span}}';
      asOf: 'as of {{time}}';
      sequential: 'This service lists keys out of order, so Cooper started again and reads them one page at a time.';
    };
    stop: 'Stop';
    spoken: {
      running: 'Searching';
      done_one: 'Search complete. {{number}} object found.';
      done_other: 'Search complete. {{number}} objects found.';
      stopped_one: 'Search stopped. {{number}} object found so far.';
      stopped_other: 'Search stopped. {{number}} objects found so far.';
      failed: 'The search failed.';
    };
    empty: {
      title: 'No matches';
      body_one: 'Cooper read the {{keys}} key below this place.';
      body_other: 'Cooper read all {{keys}} keys below this place.';
      nothingHere: 'There are no objects below this place.';
    };
    stoppedEmpty: {
      title: 'No matches so far';
      body_one: 'You stopped the search after {{keys}} key. The rest may have matches.';
      body_other: 'You stopped the search after {{keys}} keys. The rest may have matches.';
    };
    looking: {
      title: 'No matches so far';
      body_one: '{{keys}} key read.';
      body_other: '{{keys}} keys read.';
    };
    gone: {
      title: 'The results are no longer available';
      body: 'Cooper has restarted since this search. Your conditions are still in the fields.';
    };
    results: 'Search results';
    columns: {
      select: 'Selected';
      name: 'Name';
      folder: 'Folder';
      size: 'Size';
      modified: 'Modified';
      storageClass: 'Storage class';
    };
    sortHint: 'You can sort the results when the search has ended.';
    loadingRow: 'Loading…';
    top: 'at the top';
    selected: '{{rows}} selected';
    allSelected_one: 'All selected: {{rows}} result';
    allSelected_other: 'All {{rows}} results selected';
    hindrances: {
      none: 'Select results first, or all of them with {{keys}}.';
      running: 'Wait until the search ends, or stop it, to act on all results.';
      'too-many': 'Select at most {{most}} results, or all of them ({{keys}}).';
    };
    actions: {
      label: 'Actions for the results';
      preview: 'Preview';
      goToFolder: 'Show in folder';
      goToFolderInTab: 'Show in folder in a new tab';
      copyKey: 'Copy the key';
      copyKeys: 'Copy {{rows}} keys';
      copied: 'Copied';
      download: 'Download';
      delete: 'Delete…';
      selectAll: 'Select all results';
      export: 'Export';
      exportCsv: 'As CSV…';
      exportJson: 'As JSON…';
      exportManifest: 'As a manifest for S3 Batch Operations…';
      exportTitle: 'Save search results';
      exported_one: 'Saved {{number}} row to {{name}}';
      exported_other: 'Saved {{number}} rows to {{name}}';
      exportWhileRunning: 'Exports the results found so far.';
    };
    sizeOf: {
      title: 'Size of {{name}}';
      section: 'Folder content';
      calculate: 'Calculate size';
      again: 'Recalculate';
      details: 'Show what uses the space…';
      notYet: 'Counts everything in this folder and its subfolders.';
      keys_one: '{{number}} object';
      keys_other: '{{number}} objects';
      keysSoFar_one: '{{number}} object so far';
      keysSoFar_other: '{{number}} objects so far';
      running: 'Counting…';
      stopped: 'You stopped the count, so this is incomplete.';
      failed: 'The count could not finish, so this is incomplete.';
      done: 'As of {{time}}.';
      spokenRunning: 'Calculating the size';
      spokenDone: 'Size calculated: {{size}}';
      byClass: 'By storage class';
      children: 'By folder';
      noChildren: 'No subfolders';
      childrenEmpty: 'This folder is empty.';
      childName: 'Folder';
      childKeys: 'Objects';
      childSize: 'Size';
      share: '{{percent}} of total';
      open: 'Open folder';
      others: 'Other sizes';
      otherSoFar: '{{size}} so far';
    };
  };
  settings: {
    title: 'Settings';
    sections: {
      appearance: 'Appearance';
      folders: 'Folders';
      previews: 'Previews';
      thumbnails: 'Thumbnails';
      transfers: 'Transfers';
      uploads: 'Uploads';
      downloads: 'Downloads';
      confirmations: 'Confirmations';
      program: 'General';
      updates: 'Updates';
      about: 'About';
    };
    language: 'Language';
    languages: { system: 'Match system'; en: 'English'; ru: 'Русский' };
    theme: 'Theme';
    themes: { auto: 'Match system'; light: 'Light'; dark: 'Dark' };
    systemAccent: 'Use the system’s accent colour';
    systemAccentDescription: 'Cooper uses a shade with enough contrast. If the system reports no accent colour, Cooper uses its own.';
    foldersFirst: 'Folders before objects';
    foldersFirstDescription: 'Applies to sorted folders. When off, Cooper sorts folders and objects together by name.';
    catalogues: 'Catalogues of buckets';
    cataloguesDescription: 'A map keeps the names and sizes of a bucket’s objects on this computer, so that it opens at once and searches are instant.';
    cataloguesUsed_one: 'Now {{count}} catalogue, {{size}}.';
    cataloguesUsed_other: 'Now {{count}} catalogues, {{size}}.';
    cataloguesOff: 'Keep none';
    cataloguesUpTo: 'Up to {{size}} GiB';
    previewLimit: 'Largest object to preview';
    previewLimitDescription: 'For kinds that Cooper reads as a whole, such as images. 0 turns all previews off.';
    multipartFrom: 'Send files in parts from';
    multipartFromDescription: 'Cooper sends several parts at once and, after an interruption, only the missing ones. Smaller files go in one request.';
    partSize: 'Part size';
    partSizeDescription: 'Applies to new uploads. Cooper uses larger parts for a file that would need more than 10,000.';
    partBoundsInvalid: 'Type a whole number of MiB from 5 to 5120.';
    previewLimitInvalid: 'Type a number of MiB, 0 or more.';
    thumbnails: {
      thumbnailImageBytes: 'Largest image to fetch whole for a thumbnail';
      thumbnailImageBytesDescription: 'Cooper first reads 128 KiB, where cameras store a thumbnail. If there is none, it fetches an image up to this size. 0 turns thumbnails off.';
      thumbnailImageBytesInvalid: 'Type a number of MiB from 0 to 1024.';
      thumbnailCacheBytes: 'Disk space for thumbnails';
      thumbnailCacheBytesDescription: 'Cooper removes the longest unused ones first. 0: none are kept.';
      thumbnailCacheBytesInvalid: 'Type a number of MiB from 0 to 65536.';
      kept_one: '{{count, number}} thumbnail, {{size}}';
      kept_other: '{{count, number}} thumbnails, {{size}}';
      clear: 'Delete thumbnails';
      never: 'Cooper makes no thumbnails of cold or archived objects unless you ask. Thumbnails from buckets with your own encryption keys stay in memory.';
    };
    loadFailed: 'Cooper could not load the settings.';
    saved: 'Saved';
    downloadAsks: 'Cooper asks for a folder at each download.';
    downloadPick: 'Choose the download folder';
    downloadChoose: 'Choose a folder';
    downloadAsk: 'Ask each time';
    notifications: 'Notify me when transfers end';
    notificationsDescription: 'Cooper uses system notifications while its windows are in the background.';
    confirmLinks: 'Ask before opening an s3:// link';
    confirmLinksDescription: 'When off, a link opens at once if its place and connection are clear. A link only shows a place.';
    alwaysAsked: 'Cooper always asks before it deletes or replaces anything.';
    confirmQuit: 'Ask before quitting during transfers';
    confirmQuitDescription: 'Transfers continue at the next start either way.';
    openAtLogin: 'Open Cooper when I log in';
    logLevel: 'Log level';
    logLevelDescription: 'The log is in the data folder. It never contains keys.';
    logLevels: {
      error: 'Errors';
      warn: 'Errors and warnings';
      info: 'Normal';
      debug: 'Everything, for troubleshooting';
    };
    licences: 'Third-party licences';
    licencesBody: 'Cooper includes the work of others. These are their licences.';
    version: 'Version';
    dataDir: 'Data folder';
    secrets: 'Keys';
    host: 'Running';
    hosts: { desktop: 'As a desktop app'; browser: 'In the browser' };
    close: 'Close';
    downloadCostLimit: 'Ask before a download that costs more than';
    downloadCostLimitDescription: 'An estimate, in the currency of the price list. Cooper always asks where reading a storage class costs extra.';
    downloadCostLimitInvalid: 'Type a number of 0 or more.';
  };
  stalled: {
    allBuckets: 'All buckets of {{connection}}';
    totals: {
      uploads_one: '{{count, number}} upload';
      uploads_other: '{{count, number}} uploads';
      stored: '{{size}} stored';
      storedAtLeast: 'at least {{size}} stored';
      oldest: 'oldest from {{date}}';
    };
    explained: 'Uploads that a program started and never finished. They are not listed as objects, but their parts use storage.';
    count_one: '{{count, number}} upload';
    count_other: '{{count, number}} uploads';
    countFiltered: '{{shown}} of {{total}}';
    columns: {
      key: 'Key';
      bucket: 'Bucket';
      begun: 'Started';
      parts: 'Parts';
      bytes: 'Stored';
      'storage-class': 'Class';
      initiator: 'Started by';
      'last-part': 'Last part';
      verdict: 'State';
    };
    sortedUp: 'sorted ascending';
    sortedDown: 'sorted descending';
    notRead: 'not read yet';
    unknown: '—';
    ago: '{{span}} ago';
    justNow: 'just now';
    loadingRow: 'Loading…';
    verdicts: {
      unread: { label: 'Not read yet'; body: 'Cooper reads its parts when the row is visible.' };
      'could-not-be-read': {
        label: 'Unreadable';
        body: 'The service did not list the parts of this upload. Open it to see why.';
      };
      'still-being-written': {
        label: 'Being written';
        body: 'A part arrived within the last 15 minutes. A program is probably still sending it, so leave it alone.';
      };
      empty: {
        label: 'Empty';
        body: 'The service has stored no part of this upload. Resume it from its file, or abort it.';
      };
      'has-gaps': {
        label: 'Has gaps';
        body: 'Some parts in the middle are missing. Resume it from its file to send them.';
      };
      'has-small-parts': {
        label: 'Parts too small';
        body: 'Some parts before the last are smaller than 5 MiB, and services refuse those. Resume it from its file to send them again.';
      };
      'no-gaps': {
        label: 'No gaps';
        body: 'All parts up to the highest number are stored. Only the file can show whether the upload is complete.';
      };
      'no-gaps-full': {
        label: 'No gaps, may continue';
        body: 'All parts up to the highest number are stored, but the last is as large as the others, so more parts were probably to follow.';
      };
    };
    toolbar: {
      label: 'Actions for stalled uploads';
      filter: 'Filter by key';
      filterLabel: 'Filter by text in the key';
      verdictFilter: 'States to show';
      open: 'Open';
      resume: 'Resume from a file…';
      resumeFolder: 'Resume from a folder…';
      complete: 'Complete as it is…';
      abort: 'Abort…';
      old: 'Abort old ones…';
      typed: 'Open by upload ID…';
      reload: 'Refresh';
      selectAll: 'Select all';
      selectNone: 'Select none';
      selected_one: '{{count, number}} selected';
      selected_other: '{{count, number}} selected';
      selectedBytes: '{{bytes}} stored';
      more: 'More actions';
    };
    scan: {
      starting: 'Searching for stalled uploads…';
      running: '{{found}} found, searching bucket {{done}} of {{total}}';
      runningOne: '{{found}} found so far';
      stopped: 'You stopped the search. This list is incomplete.';
      stop: 'Stop';
      goOn: 'Search again';
      failedTitle: 'Cooper could not search for stalled uploads';
      bucketFailed_one: '{{count, number}} bucket could not be searched';
      bucketFailed_other: '{{count, number}} buckets could not be searched';
      showErrors: 'Show errors';
      hideErrors: 'Hide errors';
      inBucket: 'In “{{bucket}}”';
      ofConnection: 'Listing the buckets';
    };
    readRest: {
      offer_one: 'Cooper has not read the parts of {{count, number}} upload yet, so this order is incomplete.';
      offer_other: 'Cooper has not read the parts of {{count, number}} uploads yet, so this order is incomplete.';
      offerFilter_one: 'Cooper has not read the parts of {{count, number}} upload yet. It may match too.';
      offerFilter_other: 'Cooper has not read the parts of {{count, number}} uploads yet. They may match too.';
      read: 'Read the rest';
      running: 'Reading parts: {{read}} of {{total}}';
      failed_one: '{{count, number}} upload could not be read';
      failed_other: '{{count, number}} uploads could not be read';
      stop: 'Stop';
      broke: 'Cooper stopped reading the parts: {{message}}';
    };
    empty: {
      title: 'No stalled uploads';
      body: 'Every upload here has been completed or aborted.';
      bodyPartly: 'Cooper found none in the buckets it could search. The others may have some.';
      notSearched: {
        title: 'Stalled uploads unknown';
        body: 'Cooper could not search any bucket. The message above says why.';
      };
      typed: 'Some services, such as MinIO, list an upload only for its exact key. If you know the key and the upload ID, open it by them.';
    };
    noneFits: {
      title: 'No matching uploads';
      body: 'Change the text or the states.';
      clear: 'Clear the filter';
    };
    typed: {
      title: 'Open an upload by its ID';
      body: 'For services that do not list unfinished uploads. The program that started the upload usually has both in its log.';
      bucket: 'Bucket';
      key: 'Key';
      keyPlaceholder: 'backups/2024/full.tar';
      uploadId: 'Upload ID';
      missing: 'Required';
      open: 'Open';
      cancel: 'Cancel';
    };
    detail: {
      title: 'Stalled upload';
      loading: 'Reading the parts…';
      place: 'In {{bucket}}';
      copyKey: 'Copy the key';
      copyUploadId: 'Copy the upload ID';
      reload: 'Refresh';
      close: 'Close';
      begun: 'Started';
      begunBy: 'Started by';
      storageClass: 'Storage class';
      uploadId: 'Upload ID';
      checksum: 'Checksums';
      checksumNone: 'none';
      partsHeading: 'Parts';
      stored: '{{bytes}} stored in {{parts}}';
      partsCount_one: '{{count, number}} part';
      partsCount_other: '{{count, number}} parts';
      wouldBecome: 'If completed as it is';
      wouldBecomeText: 'An object of {{bytes}}';
      wouldBecomeEtag: 'ETag {{etag}}';
      wouldBecomeEtagUnknown: 'The ETag cannot be predicted, because the ETags of the parts are not MD5.';
      cannotBecome: 'Not possible: {{why}}';
      standing: 'At this key now';
      standingAbsent: 'No object. Completing the upload creates one.';
      standingPresent: 'An object of {{bytes}}, modified {{date}}. Completing the upload replaces it.';
      standingPresentUndated: 'An object of {{bytes}}. Completing the upload replaces it.';
      standingUnreadable: 'Cooper could not check: {{why}}.';
      job: 'Cooper is already working on this upload.';
      showJob: 'Show transfer';
      partSize: 'Part size';
      partSizeMixed: 'varies';
      sentence: {
        unread: 'Cooper has not read the parts yet.';
        'could-not-be-read': 'The service did not list the parts of this upload.';
        'still-being-written': 'A part arrived {{span}} ago, so a program is probably still sending. If you complete the upload now, that program fails and the parts it has not sent yet are lost.';
        empty: 'No parts are stored, so there is nothing to complete. Resume the upload from its file, or abort it.';
        'has-gaps_one': '{{count, number}} part in the middle is missing. Resume the upload from its file, and Cooper sends only that part.';
        'has-gaps_other': '{{count, number}} parts in the middle are missing. Resume the upload from its file, and Cooper sends only those parts.';
        'has-small-parts_one': '{{count, number}} part before the last is smaller than 5 MiB, which services refuse. Resume the upload from its file, and Cooper sends it again, larger.';
        'has-small-parts_other': '{{count, number}} parts before the last are smaller than 5 MiB, which services refuse. Resume the upload from its file, and Cooper sends them again, larger.';
        'no-gaps': 'All parts up to number {{highest}} are stored, and the last is smaller than the others, as the end of a file usually is. The service does not know the intended length; only the file can prove that the upload is complete.';
        'no-gaps-full': 'All parts up to number {{highest}} are stored, but the last is as large as the others, so more parts were probably to follow. The service does not know the intended length; only the file can show it.';
        'no-gaps-single': 'The first part is stored. The service does not know whether more parts were to follow; only the file can show it.';
      };
    };
    strip: {
      label: 'Map of the parts';
      altCounts: '{{total}}: {{counts}}.';
      parts_one: '{{count, number}} part';
      parts_other: '{{count, number}} parts';
      legend: 'Legend';
      legendItem: '{{label}}: {{number}}';
      first: 'Part 1';
      last: 'Part {{count, number}}';
      none: 'No parts';
      state: {
        present: 'stored';
        missing: 'missing';
        'too-small': 'too small';
        verified: 'matches the file';
        differs: 'differs from the file';
        unverifiable: 'cannot be verified';
      };
      run: { one: 'Part {{from}}: {{state}}'; many: 'Parts {{from}} to {{to}}: {{state}}' };
    };
    parts: {
      label: 'Parts of this upload';
      columns: {
        number: 'Part';
        state: 'State';
        size: 'Size';
        etag: 'ETag';
        time: 'Stored';
        checksum: 'Checksum';
      };
      failed: 'The parts could not be read';
    };
    ranges: {
      more_one: '{{ranges}} and {{count, number}} more part';
      more_other: '{{ranges}} and {{count, number}} more parts';
    };
    problems: {
      'could-not-be-read': 'The service did not list the parts, so Cooper cannot say what would be completed. Try again later.';
      'upload-gone': 'The service no longer knows this upload. Someone completed or aborted it, or it has expired.';
      'no-parts': 'No parts are stored, so there is nothing to complete.';
      'part-too-small_one': 'Part {{parts}} is smaller than 5 MiB and is not the last one, so services refuse it. Resume the upload from its file instead.';
      'part-too-small_other': 'Parts {{parts}} are smaller than 5 MiB and are not the last, so services refuse them. Resume the upload from its file instead.';
      'too-many-parts': 'It has more than 10,000 parts, the most that services accept.';
      'gaps-with-checksums': 'Parts {{parts}} are missing, and services accept an upload with checksums only without gaps. Resume it from its file instead.';
      'job-exists': 'Cooper is already working on this upload. See Transfers.';
    };
    complete: {
      title: 'Complete this upload as it is?';
      titleMany: 'Complete {{count, number}} uploads as they are?';
      titleGaps: 'Complete with missing parts?';
      titleCannot: 'This upload cannot be completed as it is';
      checking: 'Checking the parts again…';
      becomes: 'The {{parts}} become one object of {{bytes}}.';
      parts_one: '{{count, number}} stored part';
      parts_other: '{{count, number}} stored parts';
      unknownLength: 'Neither the service nor Cooper knows the intended length of the object. If you have the file, resume from it instead: Cooper then verifies the object.';
      fullLast: 'The last part is as large as the others, so more parts were probably to follow.';
      stillWriting: 'A part arrived within the last 15 minutes. Another program is probably still sending, and it would fail.';
      gaps_one: 'Part {{ranges}} is missing and will not be in the object.';
      gaps_other: 'Parts {{ranges}} are missing and will not be in the object.';
      gapsMeaning: 'The content after a gap moves up to fill it. Most files cannot be opened afterwards.';
      acceptGaps: 'I understand that the object will be incomplete';
      overwrites: 'It replaces the object at this key: {{bytes}}, modified {{date}}.';
      overwritesUndated: 'It replaces the object at this key: {{bytes}}.';
      overwritesVersioned: 'This bucket seems to keep versions, so the old object should remain as an older version.';
      createsNew: 'No object exists at this key yet.';
      overwritesUnknown: 'Cooper could not check whether an object exists at this key. If one does, it is replaced.';
      confirm: 'Complete';
      confirmGaps: 'Complete with missing parts';
      confirmMany_one: 'Complete {{count, number}} upload';
      confirmMany_other: 'Complete {{count, number}} uploads';
      resumeInstead: 'Resume from a file…';
      cancel: 'Cancel';
      close: 'Close';
      ready: 'can be completed';
      readyGaps_one: 'part {{ranges}} is missing';
      readyGaps_other: 'parts {{ranges}} are missing';
      started: 'started';
      refused: 'not started';
      changed: 'The parts have changed since you opened the upload. Check it again before you complete it.';
      summary_one: '{{count, number}} upload can be completed: {{bytes}}';
      summary_other: '{{count, number}} uploads can be completed: {{bytes}}';
      cannotSummary_one: '{{count, number}} upload cannot be completed and stays as it is.';
      cannotSummary_other: '{{count, number}} uploads cannot be completed and stay as they are.';
      replacesSummary_one: '{{count, number}} upload replaces an object.';
      replacesSummary_other: '{{count, number}} uploads replace objects.';
      withGaps_one: 'Also complete {{count, number}} upload with missing parts. I understand that the object will be incomplete.';
      withGaps_other: 'Also complete {{count, number}} uploads with missing parts. I understand that the objects will be incomplete.';
      checked: 'Checked {{done}} of {{total}}';
      rowReplaces: 'replaces an object of {{bytes}}';
      listLabel: 'Uploads to complete';
      uncheckedBody_one: 'Cooper checks {{count, number}} upload before it completes it, in one transfer.';
      uncheckedBody_other: 'Cooper checks each of the {{count, number}} uploads before it completes it, in one transfer.';
      uncheckedRest: 'Uploads that need a decision stay as they are: parts are missing, someone is still sending, or an object exists at the key. The report of the transfer lists them with the reason.';
    };
    resume: {
      title: 'Resume from a file';
      intro: 'Choose the file that this upload was made from. Cooper compares it with the stored parts and sends nothing until you start.';
      pickTitle: 'Choose the file for {{name}}';
      choose: 'Choose the file…';
      drop: 'Or drop the file here';
      dropOther: 'Or drop another file here';
      chooseOther: 'Choose another file…';
      listing: 'Reading the parts of the upload…';
      hashing: 'Comparing the file with the parts: {{done}} of {{total}}';
      hashingSpeed: '{{speed}}/s';
      stop: 'Stop comparing';
      stopped: 'You stopped the comparison. Nothing was sent.';
      failedTitle: 'Cooper could not compare the file';
      file: 'File';
      cancel: 'Cancel';
      back: 'Back';
      start: 'Start sending';
      startComplete: 'Complete';
      startReplace: 'Send and replace';
      plan: {
        heading: 'What will happen';
        nothing: 'All parts are stored and match your file. Cooper only has to complete the upload.';
        verified_one: '{{count, number}} stored part matches your file.';
        verified_other: '{{count, number}} stored parts match your file.';
        missing_one: '{{count, number}} part is missing. Cooper sends it.';
        missing_other: '{{count, number}} parts are missing. Cooper sends them.';
        differ_one: '{{count, number}} part differs from your file. Cooper sends it again.';
        differ_other: '{{count, number}} parts differ from your file. Cooper sends them again.';
        small_one: '{{count, number}} part is too small. Cooper sends it again, larger.';
        small_other: '{{count, number}} parts are too small. Cooper sends them again, larger.';
        unverifiable_one: 'Cooper cannot verify {{count, number}} stored part against your file, so it sends it again.';
        unverifiable_other: 'Cooper cannot verify {{count, number}} stored parts against your file, so it sends them again.';
        unverifiableTaken_one: 'Cooper cannot verify {{count, number}} stored part against your file and keeps it, as you chose.';
        unverifiableTaken_other: 'Cooper cannot verify {{count, number}} stored parts against your file and keeps them, as you chose.';
        surplus_one: '{{count, number}} part lies beyond the end of your file. Cooper leaves it out.';
        surplus_other: '{{count, number}} parts lie beyond the end of your file. Cooper leaves them out.';
        toSend: 'To send: {{bytes}} of {{total}}.';
        time: 'That takes about {{span}} at the current speed.';
        timeUnknown: 'Cooper can estimate the time once it has started.';
        becomes: 'The result is one object of {{bytes}}. Cooper checks it.';
        etag: 'Expected ETag: {{etag}}';
        partSize: 'Part size: {{bytes}}';
        source: {
          'shared-size': 'the size of all stored parts but the last';
          'by-hash': 'found by comparing the parts with the file';
          cumulative: 'the parts have different sizes';
          chosen: 'chosen by Cooper, because no parts are stored';
        };
        checksum: 'This upload uses {{algorithm}} checksums, and so do the parts that Cooper sends.';
      };
      beyond: {
        title_one: 'Part {{ranges}} belongs to a longer file';
        title_other: 'Parts {{ranges}} belong to a longer file';
        proved: 'Your file matches all parts before them, but more is stored than it holds. It may be cut off, or an earlier version. If you have the longer file, choose that one.';
        leaving: 'If you leave them out, the object becomes exactly your file, and the service deletes the rest. Not every service allows this.';
        replaced: 'Part {{part}} starts inside your file. Cooper replaces it with a shorter one.';
        refused: 'This service does not complete an upload when stored parts are left out.';
        anewHint: 'If you upload the file again, it goes to the same key, and this upload stays as it is.';
        anewSends: 'Uploading the file again sends {{bytes}}.';
        leavingSends: 'Leaving the parts out sends {{bytes}}.';
        leavingSendsNothing: 'Leaving the parts out sends nothing.';
        leave: 'Leave them out';
        anew: 'Upload the file again';
      };
      refusals: {
        'too-short': {
          title: 'This file is too short';
          body: 'The stored parts reach beyond the end of the file ({{bytes}}). It is a different file, or it was cut off. Nothing was sent or changed.';
        };
        'all-differ': {
          title: 'This does not seem to be the right file';
          body: 'No stored part matches this file. Nothing was sent or changed.';
          choice: 'Either this is a different or edited file, or the service encrypts its objects (KMS, or a key of your own), so that their ETags cannot be compared.';
          notMd5: 'Compare without ETags';
          notMd5Hint: 'Use this only if you are sure of the file. The parts then count as “cannot be verified”, and you decide whether to send them again.';
        };
        'too-many-parts': {
          title: 'This file needs too many parts';
          body: 'With parts of {{partBytes}}, the file ({{bytes}}) would need {{parts}}, and services accept at most 10,000. Abort this upload and upload the file again.';
        };
        'part-too-large': {
          title: 'The parts would be too large';
          body: 'A part would be larger than 5 GiB, the most that services accept. This upload cannot be completed from this file.';
        };
        'upload-gone': {
          title: 'This upload no longer exists';
          body: 'Someone completed or aborted it, or it has expired. Your file is unchanged: upload it again.';
        };
        'file-changed': {
          title: 'The file changed during the comparison';
          body: 'A program is writing to it. Wait until it has finished, then choose the file again. Nothing was sent.';
        };
      };
      notMd5On: 'Compared without ETags, as you chose.';
      options: {
        heading: 'Options';
        parallel: 'Parts at once';
        parallelHint: 'Leave empty to use the transfer settings.';
        bandwidth: 'Speed limit, in MB/s';
        bandwidthHint: 'Leave empty to use the transfer settings.';
        accept_one: 'Keep the {{count, number}} part that cannot be verified';
        accept_other: 'Keep the {{count, number}} parts that cannot be verified';
        acceptHint_one: 'Saves sending {{bytes}}. If it came from another file, the object mixes both files without any sign of it.';
        acceptHint_other: 'Saves sending {{bytes}}. If they came from another file, the object mixes both files without any sign of it.';
        parallelInvalid: 'Type a whole number from 1 to 64.';
        bandwidthInvalid: 'Type a number above 0.';
      };
      wantsWriting: 'A part arrived within the last 15 minutes. If another program is still sending this upload, let it finish first.';
    };
    folder: {
      title: 'Resume several from a folder';
      intro_one: 'Choose the folder that holds the file of this upload. Cooper finds it by name and size.';
      intro_other: 'Choose the folder that holds the files of these {{count, number}} uploads. Cooper finds them by name and size.';
      pickTitle: 'Choose the folder with the files';
      choose: 'Choose the folder…';
      matching: 'Finding the files…';
      chosen: 'Folder: {{name}}';
      listLabel: 'Uploads and their files';
      problems: {
        'none-found': 'no file with this name';
        'several-found': 'several files match: resume it on its own';
        'too-short': 'the file is shorter than the stored parts: resume it on its own';
      };
      fits: 'found';
      comparing: 'comparing…';
      comparingOf: 'comparing, {{percent}} %';
      proved: '{{verified}} verified, {{bytes}} to send';
      provedNothing: 'all parts verified, nothing to send';
      unproved: '{{count, number}} not verified and sent again; {{bytes}} to send';
      refused: 'not the right file: {{why}}';
      beyond: 'more is stored than this file holds: resume it on its own';
      writing: 'still being written: leave it alone';
      failed: 'could not be compared';
      started: 'started';
      compare_one: 'Compare {{count, number}} file';
      compare_other: 'Compare {{count, number}} files';
      start_one: 'Start {{count, number}} upload';
      start_other: 'Start {{count, number}} uploads';
      summary: '{{fit}} of {{total}} have a file that matches by name and size.';
      planned_one: '{{count, number}} upload is ready: {{bytes}} to send.';
      planned_other: '{{count, number}} uploads are ready: {{bytes}} to send.';
      replaces: 'replaces an object of {{bytes}}';
      stop: 'Stop';
      close: 'Close';
      limit: 'Cooper can match at most 1,000 uploads at once. Select fewer.';
    };
    abort: {
      title_one: 'Abort this upload?';
      title_other: 'Abort {{count, number}} uploads?';
      body: 'The service deletes the stored parts. This cannot be undone.';
      loses: 'You lose {{bytes}}.';
      losesAtLeast: 'You lose at least {{bytes}}. Cooper has not read the parts of {{count, number}} of them.';
      losesUnknown: 'Cooper has not read their parts, so it does not know how much is stored.';
      reading: 'Adding up the stored bytes…';
      keepsFile: 'Files on this computer and completed objects stay as they are.';
      stopsJobs: 'Cooper first stops the transfers that send these uploads.';
      type: 'To confirm, type the number of uploads: {{count}}';
      typeLabel: 'Number of uploads';
      confirmBox: 'I understand that this cannot be undone';
      confirm_one: 'Abort and delete its parts';
      confirm_other: 'Abort {{count, number}} uploads';
      cancel: 'Keep';
      listLabel: 'Uploads to abort';
      more_one: 'and {{count, number}} more';
      more_other: 'and {{count, number}} more';
      begun: 'started {{span}} ago';
      stillWriting_one: '{{count, number}} of them is probably still being written.';
      stillWriting_other: '{{count, number}} of them are probably still being written.';
      refusedTitle: 'Some uploads were not aborted';
      allRefused: 'No upload was aborted';
    };
    old: {
      title: 'Abort old uploads';
      days: 'Started more than this many days ago';
      invalid: 'Type a whole number of days, 1 or more.';
      none: 'No upload is that old.';
      found_one: '{{count, number}} upload is older than that.';
      found_other: '{{count, number}} uploads are older than that.';
      asSeen: 'The filter above does not apply here.';
      unread_one: 'Cooper has not read the parts of {{count, number}} upload.';
      unread_other: 'Cooper has not read the parts of {{count, number}} uploads.';
      listLabel: 'Old uploads';
      next: 'Continue…';
      cancel: 'Cancel';
      tooMany: 'Cooper can abort at most 10,000 uploads at once. Choose more days.';
    };
    refusedList: {
      title_one: '{{count, number}} upload was not started';
      title_other: '{{count, number}} uploads were not started';
    };
    actionFailed: 'Cooper could not do this';
    showTransfers: 'Show transfers';
    commands: { connection: 'Stalled uploads: {{name}}'; place: 'Stalled uploads in {{place}}' };
    cost: {
      label: 'What these uploads cost';
      month: '{{amount}} a month';
      since: '{{amount}} since they were started';
      read: 'Read all parts';
      old: 'Abort older than…';
      rule: 'Lifecycle rule…';
      ruleOf: 'Lifecycle rule of {{bucket}}…';
      unread_one: 'Without {{count, number}} upload whose parts Cooper has not read.';
      unread_other: 'Without {{count, number}} uploads whose parts Cooper has not read.';
      free: 'They cost nothing.';
    };
    groups: {
      show: 'Show groups';
      hide: 'Hide groups';
      by: 'Group by';
      bucket: 'Bucket';
      initiator: 'Client';
      age: 'Age';
      name: 'Group';
      uploads: 'Uploads';
      stored: 'Stored';
      oldest: 'Oldest';
      month: 'A month';
      since: 'So far';
      unknownClient: 'Not reported';
      table: 'Groups of uploads';
      only: 'Show only {{name}}';
      ages: {
        day: 'Under a day';
        week: 'Under a week';
        month: 'Under 30 days';
        quarter: 'Under 90 days';
        year: 'Under a year';
        older: 'A year and more';
        unknown: 'Not reported';
      };
    };
  };
  sync: {
    title: { up: 'Sync a folder to {{name}}'; down: 'Sync {{name}} to a folder' };
    setup: {
      intro: {
        up: 'Cooper uploads new and changed files of a folder to {{name}}. You see a plan first, and nothing changes until you agree.';
        down: 'Cooper downloads new and changed objects of {{name}} to a folder. You see a plan first, and nothing changes until you agree.';
      };
      direction: 'Direction';
      directions: { up: 'Up to the bucket'; down: 'Down to this computer' };
      folder: 'Folder on this computer';
      noFolder: 'None chosen';
      choose: 'Choose…';
      pick: { up: 'Choose the folder to sync from'; down: 'Choose the folder to sync to' };
      takesLinksOut: 'Also send what links point to outside the folder';
      takesLinksOutHint: 'Otherwise the plan lists these links, and Cooper skips them. Links inside the folder are always followed.';
      comparison: 'Compare by';
      comparisons: { 'size-time': 'Size and time'; hash: 'Content' };
      comparisonBodies: {
        'size-time': 'Fast. Files with the same size and time count as the same.';
        hash: 'Reads every file of equal size and compares its MD5 with the ETag. If the ETag is not an MD5, Cooper uses size and time, and the plan says so.';
      };
      go: 'Make a plan';
      cancel: 'Cancel';
    };
    planning: {
      listing: 'Listed so far: {{here}} on this computer, {{there}} in the bucket';
      comparing: 'Comparing: {{compared}} so far';
      unchanged: 'Planning changes nothing.';
      stop: 'Stop';
      stopped: 'You stopped the plan before it was complete. Nothing has changed.';
      done: 'Plan complete';
    };
    nothing: {
      title: 'Nothing to do';
      body_one: 'Both sides are the same. Compared {{count, number}} file.';
      body_other: 'Both sides are the same. Compared {{count, number}} files.';
      skipped_one: '{{count, number}} more item was skipped; the list says why.';
      skipped_other: '{{count, number}} more items were skipped; the list says why.';
      show: 'Show skipped items';
    };
    filters: {
      label: 'Show';
      changes: 'Changes';
      'changes-with-deletions': 'Changes';
      all: 'All';
      copy: 'New';
      overwrite: 'Changed';
      delete: { up: 'Only in the bucket'; down: 'Only here' };
      same: 'Same';
      skipped: 'Skipped';
    };
    none: 'The plan has no items of this kind.';
    table: 'Plan';
    columns: { action: 'Action'; name: 'Name'; why: 'Reason'; here: 'This computer'; there: 'Bucket' };
    loadingRow: 'Loading…';
    absent: 'none';
    actions: {
      copy: { up: 'Upload'; down: 'Download' };
      overwrite: 'Replace';
      delete: 'Delete';
      kept: 'Keep';
      same: 'Same';
      skipped: 'Skip';
    };
    reasons: {
      new: 'new';
      only: { up: 'only in the bucket'; down: 'only here' };
      size: 'different size';
      time: 'different time';
      hash: 'different content';
      'needs-deletion': 'needs deletions: something else has its name';
      'special-file': 'not an ordinary file';
      'symlink-loop': 'circular link';
      'own-data': 'Cooper’s own data folder';
      'link-outside': 'a link that leads out of the folder';
      'name-unreadable': 'its name is not Unicode';
      unreadable: 'not readable';
      'key-too-long': 'its key would be too long';
      link: 'link: Cooper changes nothing behind it';
      'same-name': 'this disk does not tell the two names apart';
      'file-and-folder': 'a file and a folder with the same name';
      byTime: 'by size and time';
    };
    byTime_one: 'Cooper compared {{count, number}} file by size and time, because its ETag is not an MD5.';
    byTime_other: 'Cooper compared {{count, number}} files by size and time, because their ETags are not MD5.';
    blocked_one: 'Cooper can download {{count, number}} file only together with the deletions: something else has its name here.';
    blocked_other: 'Cooper can download {{count, number}} files only together with the deletions: something else has their names here.';
    deletions: {
      up_one: 'Also delete {{count, number}} object that is only in the bucket';
      up_other: 'Also delete {{count, number}} objects that are only in the bucket';
      down_one: 'Also delete {{count, number}} file that is only on this computer';
      down_other: 'Also delete {{count, number}} files that are only on this computer';
      off: 'When off, Cooper deletes nothing.';
      warning: {
        up: 'Cooper deletes them from the bucket after everything else has succeeded. Without versions they cannot be restored.';
        trash: 'Cooper moves them to the trash of this computer after everything else has succeeded.';
        permanent: 'Cooper deletes them from this computer after everything else has succeeded. There is no trash here, so they cannot be restored.';
      };
      type: 'To confirm, type the number of deletions: {{number}}';
    };
    run: {
      first: {
        upload_one: 'Upload {{count, number}} file';
        upload_other: 'Upload {{count, number}} files';
        download_one: 'Download {{count, number}} file';
        download_other: 'Download {{count, number}} files';
        replace_one: 'Replace {{count, number}} file';
        replace_other: 'Replace {{count, number}} files';
        delete_one: 'Delete {{count, number}} file';
        delete_other: 'Delete {{count, number}} files';
      };
      next: { replace: 'replace {{count, number}}'; delete: 'delete {{count, number}}' };
      nothing: 'Nothing to do';
      bytes: '{{size}} to transfer';
    };
    back: 'Back';
    close: 'Close';
  };
  transfers: {
    upload: 'Upload';
    uploadFiles: 'Upload files…';
    uploadFolder: 'Upload a folder…';
    download: 'Download…';
    downloadInBrowser: 'Download in the browser';
    downloadFolder: 'Download this folder…';
    pickFiles: 'Choose what to upload to {{name}}';
    pickFolder: 'Choose the folder to upload to {{name}}';
    pickTarget: 'Choose the folder to download to';
    options: {
      menu: 'Upload with options…';
      title: 'Upload to {{name}}';
      storageClass: 'Storage class';
      storageClassDescription: 'Colder classes cost less to store and more to read. Some take hours to read.';
      usual: 'Bucket default';
      unset: 'Not set';
      cacheControl: 'Cache-Control';
      contentType: 'Content type';
      fromName: 'From each file name';
      metadata: 'Metadata';
      metadataDescription: 'Anyone who can read the object can read them too.';
      tags: 'Tags';
      tagsDescription: 'Up to ten, for bucket rules and billing.';
      pairPlaceholder: 'name=value, one per line';
      encryption: 'Encryption on the service';
      encryptions: {
        none: 'Bucket default';
        service: 'Service key (SSE-S3)';
        kms: 'Key management service (SSE-KMS)';
        customer: 'Your own key (SSE-C)';
      };
      encryptionDescriptions: {
        none: 'Most services encrypt objects by default.';
        service: 'Readers notice no difference.';
        kms: 'Readers also need permission to use the key.';
        customer: 'The service encrypts with your key and does not store it. Every reader needs it.';
      };
      kmsKeyId: 'KMS key';
      kmsUsual: 'The account’s default key';
      customerWarning: 'Without this key nobody can read the objects, not even the service. Keep a copy of it in a safe place. Cooper stores it with the secrets of this connection, sends it with every read, and deletes it together with the connection.';
      customerKey: 'Key';
      customerKeyChoose: 'Choose a key';
      customerKeyAdd: 'Add a key…';
      customerKeyRemove: 'Remove this key…';
      customerKeyRemoveTitle: 'Remove this key from Cooper?';
      customerKeyRemoveBody: 'Objects encrypted with it stay as they are. Cooper cannot read them until you add the key again. Without a copy of the key they are lost.';
      customerKeyRemoveConfirm: 'Remove key';
      customerKeyName: 'Key name';
      customerKeyValue: 'Key value';
      customerKeyValueDescription: '32 bytes in Base64. Once saved, Cooper does not show it again.';
      customerKeyShow: 'Show or hide the key';
      customerKeyMake: 'Generate a key';
      customerKeyCopy: 'Copy the key';
      customerKeyKeep: 'Save key';
      takesLinksOut: 'Also upload what links point to outside the chosen folder';
      takesLinksOutHint: 'Otherwise the upload lists these links, and Cooper skips them. Links inside the folder are always followed.';
      keep: 'Use for every upload with this connection';
      keepDescription: 'Includes files that you drop or paste. You can change it here.';
      hasProblems: 'Correct the fields above. Nothing was uploaded.';
      problems: {
        'header-characters': 'Use only Latin letters, digits and punctuation.';
        'content-type': 'Type a content type such as text/plain or image/png.';
        'line-without-equals': 'Each line needs a name, an equals sign and a value.';
        'metadata-name': 'Names may contain only letters, digits and - _ .';
        'metadata-reserved': 'Cooper sets mtime and cooper-upload itself.';
        'metadata-size': 'All metadata together may have at most 2000 bytes.';
        'name-twice': 'A name occurs twice.';
        'tags-many': 'An object can have at most 10 tags.';
        'tag-length': 'A tag may have at most 128 characters, and its value 256.';
        'key-missing': 'Choose the key, or add one.';
      };
    };
    drop: {
      here_one: 'Drop to upload {{count, number}} item to {{name}}';
      here_other: 'Drop to upload {{count, number}} items to {{name}}';
      hereUnknown: 'Drop to upload to {{name}}';
      copying: 'Reading the dropped items';
      copied_one: '{{count, number}} file, {{size}}';
      copied_other: '{{count, number}} files, {{size}}';
      stop: 'Stop';
    };
    conflicts: {
      title: 'Items already exist';
      loading: 'Loading…';
      none: 'All items are decided.';
      intro_one: '{{count, number}} item with this name already exists. Nothing was overwritten.';
      intro_other: '{{count, number}} items with these names already exist. Nothing was overwritten.';
      source: 'New';
      target: 'Existing';
      sizeUnknown: 'unknown size';
      timeUnknown: 'unknown time';
      newer: 'newer';
      compare: 'Compare content';
      comparing: 'Comparing…';
      comparisons: {
        same: 'The content is identical.';
        different: 'The content differs.';
        'likely-different': 'The content very likely differs: no common part size gives the file this ETag.';
        unknown: 'The service reports no checksum, so Cooper cannot compare without downloading.';
      };
      etag: 'ETag {{etag}}';
      overwrite: 'Overwrite';
      skip: 'Skip';
      rename: 'Keep both';
      forAll: 'Do the same for all existing items in this transfer';
      later: 'Decide later';
      progress: '1 of {{total}}';
      noUndo: 'What is overwritten can be brought back only if the bucket keeps versions.';
    };
    hiddenFiles: {
      title: 'Hidden files for your home folder';
      intro_one: 'This hidden file would go into your home folder. Your shell, ssh and other programs follow such files. Save it only if you trust everyone who can write to this bucket. Nothing has been written yet.';
      intro_other: 'These {{count, number}} hidden files would go into your home folder. Your shell, ssh and other programs follow such files. Save them only if you trust everyone who can write to this bucket. Nothing has been written yet.';
      isThere: 'already exists and would be replaced';
      list: 'Hidden files';
      save: 'Save';
      skip: 'Skip';
      later: 'Decide later';
    };
  };
  updates: {
    off: {
      browser: 'npm updates Cooper in the browser. Install the newer package the way you installed this one.';
      development: 'This copy of Cooper runs from its source code and does not update itself.';
      'package-manager': 'Your system’s package manager updates this copy of Cooper.';
      unpacked: 'This copy of Cooper was unpacked by hand. To update it, unpack a newer one in its place.';
      portable: 'A portable Cooper does not update itself. Replace it with a newer one.';
      unsigned: 'This copy of Cooper is not signed, so macOS does not let it update itself. Replace it with a newer one.';
      'no-feed': 'This copy of Cooper was built without an update address.';
    };
    neverChecked: 'Cooper has not checked for updates yet.';
    current: 'Cooper is up to date. Last checked: {{when}}.';
    checking: 'Checking for updates…';
    available: 'Cooper {{version}} is available.';
    availableSize: 'Cooper {{version}} is available ({{size}}).';
    downloading: 'Downloading Cooper {{version}}…';
    ready: 'Cooper {{version}} is downloaded and verified. Cooper installs it when you say so.';
    installing: 'Installing Cooper {{version}}. Cooper restarts…';
    failed: {
      check: 'Cooper could not check for updates. Nothing has changed.';
      download: 'Cooper could not download the update. Nothing has changed.';
      install: 'Cooper could not install the update. Your copy of Cooper is unchanged.';
    };
    tampered: 'The download did not match the published file, so Cooper deleted it.';
    progress: 'Update download';
    notes: 'What’s new';
    install: 'Restart and install';
    download: 'Download';
    stop: 'Stop';
    check: 'Check for updates';
    daily: 'Check for updates every day';
    dailyDescription: 'Cooper only tells you. You decide what to download and install.';
    channel: 'Versions';
    channels: { stable: 'Releases only'; beta: 'Releases and previews' };
    notice: {
      available: 'Cooper {{version}} is available';
      ready: 'Cooper {{version}} is ready to install';
      show: 'Show';
    };
  };
  versions: {
    title: 'Versions';
    titleOf: 'Versions of {{name}}';
    here: 'Versions and delete markers in this folder';
    table: 'Versions in {{name}}';
    columns: {
      name: 'Name';
      modified: 'Modified';
      size: 'Size';
      storageClass: 'Storage class';
      state: 'State';
      versionId: 'Version ID';
    };
    state: { latest: 'Latest'; older: 'Older'; deleted: 'Deleted'; marker: 'Delete marker' };
    loading: 'Reading the versions…';
    more: 'Reading more…';
    count_one: '{{shown}} version or delete marker';
    count_other: '{{shown}} versions and delete markers';
    countMore: '{{shown}} so far, more available';
    selected: '{{name}}, {{time}}';
    choose: 'Select a version to preview, download, restore or delete it.';
    chooseFolder: 'Folder. Press Enter to open it.';
    empty: { title: 'Nothing here'; body: 'No objects, versions or delete markers have this prefix.' };
    status: {
      enabled: 'This bucket keeps versions.';
      suspended: 'Versioning is suspended: this bucket keeps no new versions. Existing ones stay.';
      off: 'This bucket does not keep versions. Overwritten and deleted objects cannot be restored.';
      unsupported: 'This service does not keep versions. Overwritten and deleted objects cannot be restored.';
      unknown: 'Your key has no permission to see whether this bucket keeps versions.';
    };
    unsupported: {
      title: 'This service does not support versions';
      body: 'Overwritten and deleted objects cannot be restored. The objects themselves are in the folder.';
      back: 'Back to the folder';
    };
    menu: 'Actions for this version';
    openFolder: 'Open';
    actions: {
      preview: 'Preview';
      download: 'Download…';
      link: 'Create a link…';
      copyId: 'Copy the version ID';
      restore: 'Restore';
      undelete: 'Undelete';
      remove: 'Delete this version…';
      removeMarker: 'Delete this delete marker…';
    };
    restored: {
      begun: 'Restoring started: a copy of that version becomes the latest one. See Transfers.';
      'marker-deleted': 'Undeleted: the previous version is the latest again.';
      'already-latest': 'This is already the latest version. Nothing has changed.';
    };
    confirm: {
      title: 'Delete this version permanently?';
      titleMarker: 'Delete this delete marker?';
      titleOnly: 'Delete this object permanently?';
      body: 'The version of “{{name}}” from {{time}} cannot be restored, not even by the service.';
      bodyLatest: 'It is the latest version. The previous one takes its place, if there is one.';
      bodyMarker: 'If it is the latest, “{{name}}” is visible again. The marker itself cannot be restored.';
      cancel: 'Keep';
      remove: 'Delete permanently';
      removeMarker: 'Delete marker';
    };
    removed: 'Deleted 1 version';
    removedMarker: 'Deleted 1 delete marker';
    unknownTime: 'unknown time';
  };
  viewers: {
    title: 'Preview of {{name}}';
    previous: 'Previous object';
    next: 'Next object';
    loading: 'Loading the preview…';
    showAsText: 'Show as text';
    showBytes: 'Show bytes';
    showAsItself: 'Back to the preview';
    download: 'Download';
    readNew: 'Read the new version';
    limit: {
      none: 'Cooper reads only the parts that you look at, and never runs anything in an object.';
      bytes: 'Cooper previews objects of this kind up to {{limit}} and never runs anything in them.';
      first: 'Cooper shows up to the first {{limit}} of objects of this kind, and never runs anything in them.';
    };
    tooLargeBody: 'Cooper reads an object of this kind as a whole, up to {{limit}}. You can change the limit in Settings.';
    tooLargeFixedBody: 'Cooper previews objects of this kind up to {{limit}}. Show it as text, or download it to open it in another program.';
    none: {
      'too-large': 'Too large for a preview';
      'unknown-type': 'No preview for this type of object';
      off: 'Previews are turned off';
      empty: 'This object is empty';
      archived: 'This object is archived';
    };
    noneBody: {
      'unknown-type': 'You can look at its bytes as text.';
      off: 'The limit for previews is 0. You can change it in Settings.';
      empty: 'It has 0 bytes.';
      archived: 'Restore it under Properties before you open it.';
    };
    image: {
      failed: 'This image cannot be shown';
      failedBody: 'The file may be damaged, or in a format that Cooper cannot show.';
      pixels: 'This image has too many pixels';
      pixelsBody: 'Cooper shows images of up to {{limit}} million pixels. Download it to open it in another program.';
      work: 'This drawing is too complex';
      workBody: 'Drawing it would make the window stop responding. Show it as text, or download it to open it in another program.';
      stage: 'Image {{name}}';
      smaller: 'Zoom out (-)';
      larger: 'Zoom in (+)';
      fit: 'Fit to window (0)';
      turnLeft: 'Rotate left (Shift+R)';
      turnRight: 'Rotate right (R)';
      info: 'About this image';
      north: 'N';
      south: 'S';
      east: 'E';
      west: 'W';
      facts: {
        camera: 'Camera';
        lens: 'Lens';
        program: 'Software';
        author: 'Author';
        copyright: 'Copyright';
        about: 'Description';
        taken: 'Taken (camera time)';
        exposure: 'Exposure';
        place: 'Location';
      };
    };
    text: {
      notJson: 'This is not valid JSON. Cooper shows it as plain text.';
      pretty: 'Formatted';
      asIs: 'Original';
      content: 'Content of {{name}}';
      find: 'Find';
      findNext: 'Next match';
      findPrevious: 'Previous match';
      matches_one: '{{count, number}} match';
      matches_other: '{{count, number}} matches';
      finding: 'Searched {{size}}…';
      notFound: 'No match down to the end.';
      wrap: 'Wrap long lines';
      toEnd: 'Go to the end';
      follow: 'Follow';
      followHint: 'Asks every 4 seconds whether the object has changed, and shows its end.';
      place: 'Place in the file';
      at: '{{at}} of {{total}}';
      large: 'A large text: Cooper loads the part on the screen. A search goes on to the end of the file.';
    };
    pdf: {
      page: 'Page {{page}} of {{pages}}';
      pageLabel: 'Page {{page}} of the document';
      previous: 'Previous page';
      next: 'Next page';
      failed: 'This PDF cannot be shown';
      failedBody: 'It may be damaged.';
      password: 'Password';
      passwordHint: 'This PDF is locked with a password. Cooper does not keep it.';
      passwordWrong: 'This password does not open it.';
      open: 'Open';
      thumbnails: 'Page thumbnails';
      goTo: 'Go to page';
      of: 'of {{pages, number}}';
      width: 'Fit to width (0)';
      match: '{{current, number}} of {{total, number}}';
      searching: 'Searching…';
      noMatch: 'No match';
      broken: {
        failed: 'Page {{page}} could not be drawn. It may be damaged.';
        pictures: 'Page {{page}} is shown without some of its pictures. They may be damaged, or in a format that Cooper cannot show.';
      };
    };
    tree: {
      label: 'Structure of {{name}}';
      name: 'Name';
      value: 'Value';
      path: 'Path';
      root: '(root)';
      comment: 'comment';
      text: 'text';
      items_one: '{{count, number}} item';
      items_other: '{{count, number}} items';
      more_one: '{{count, number}} more item is not shown';
      more_other: '{{count, number}} more items are not shown';
      invalid: 'This is not valid {{format}}';
      invalidBody: 'Show it as text to read it as it is.';
    };
    feed: {
      soFar: '{{what}} read so far';
      lines_one: '{{count, number}} line';
      lines_other: '{{count, number}} lines';
      rows_one: '{{count, number}} row';
      rows_other: '{{count, number}} rows';
      cutLines_one: 'Cooper shows the first {{count, number}} line ({{size}}).';
      cutLines_other: 'Cooper shows the first {{count, number}} lines ({{size}}).';
      cutRows_one: 'Cooper shows the first {{count, number}} row ({{size}}).';
      cutRows_other: 'Cooper shows the first {{count, number}} rows ({{size}}).';
    };
    table: {
      separator: 'Separator';
      separators: {
        comma: 'Separated by commas';
        semicolon: 'Separated by semicolons';
        tab: 'Separated by tabs';
        bar: 'Separated by bars (|)';
      };
      label: 'Rows of {{name}}';
      column: 'Column {{number}}';
      columnsCut_one: 'Cooper shows the first {{count, number}} column of {{total}}.';
      columnsCut_other: 'Cooper shows the first {{count, number}} columns of {{total}}.';
    };
    archive: {
      label: 'Files in {{name}}';
      filter: 'Filter by name';
      name: 'Name';
      size: 'Size';
      packed: 'Packed';
      modified: 'Modified';
      back: 'Back to the list';
      entries_one: '{{count, number}} entry';
      entries_other: '{{count, number}} entries';
      cut: 'Cooper could read the list only up to entry {{number}}. The archive may be damaged, or its list is too long.';
      leadsOut: "The path of this entry leads out of the archive's folder. Cooper saves it as {{name}}.";
      closed: 'This entry cannot be opened';
      closedBody: {
        encrypted: 'It is encrypted with a password.';
        method: 'Cooper does not know this kind of packing.';
        link: 'It is a link to another file.';
      };
      damaged: 'This file could not be read';
      damagedBody: 'It may be damaged, or in a format that Cooper does not know. You can look at its bytes as text.';
      tooLargeBody: 'Cooper unpacks entries in memory, up to {{limit}}. Download the archive to unpack it.';
    };
    packed: {
      cut: 'Cooper unpacked the first {{size}}. The rest is not shown.';
      remark: {
        checksum: 'The content does not match its checksum. It was damaged after it was packed.';
        trailing: 'Bytes that do not belong to the compressed file follow its end. Cooper leaves them out.';
        'ends-early': 'The compressed file is cut off. Cooper shows what it could unpack.';
        damaged: 'The compressed file is damaged. Cooper shows what it could unpack before the damage.';
      };
      coding: {
        plain: 'The header Content-Encoding says “{{coding}}”, but the bytes are not compressed that way. Cooper shows them as they are.';
        unknown: 'The header Content-Encoding says “{{coding}}”, which is no compression that Cooper knows. Cooper shows the bytes as they are.';
        other: 'The header Content-Encoding says “{{coding}}”, but the bytes are {{found}}. Cooper shows what is inside.';
      };
    };
    columnar: {
      tooComplex: 'This file is damaged or too complex to show';
      tooComplexBody: 'Cooper stopped reading it: it is damaged, nested too deeply, or too much work. You can download it, or look at its bytes as text.';
      rows: 'Rows';
      schema: 'Schema';
      column: 'Column';
      type: 'Type';
      size: 'Size';
      showAll: 'Show all columns';
      columns_one: '{{shown}} of {{count, number}} column';
      columns_other: '{{shown}} of {{count, number}} columns';
      tooLarge: 'Cooper does not show values that are lists or structures in row groups above 16 MB: {{names}}.';
      tooLargeBatch: 'Cooper does not show columns that are larger than 64 MB in one row group: {{names}}.';
      groups: 'Row groups: {{number}}';
      encrypted: 'These columns are encrypted, and Cooper cannot show them: {{names}}.';
      unreadable: 'Cooper cannot read these columns. They are damaged, or stored in a way that Cooper does not know: {{names}}.';
      encryptedFile: 'This file is encrypted';
      encryptedFileBody: 'Its columns and their names can be read only with a key, which Cooper does not have. You can download the file.';
      bigEndian: 'Cooper does not read this byte order';
      bigEndianBody: 'The numbers in this Arrow file are big-endian. You can download the file.';
    };
    markdown: { hint: 'Links do nothing here. Images come from the same folder only.' };
    pixels: '{{width}} × {{height}} pixels';
    media: {
      failed: 'This recording cannot be played';
      failedBody: 'The file may be damaged, or in a format that Cooper cannot play.';
      playlist: 'This is a playlist, not a recording';
      playlistBody: 'Cooper does not fetch the addresses in a playlist. Show it as text to read them.';
    };
    paid: {
      title: 'Reading costs extra';
      body: 'The service bills each reading of an object of the class {{storageClass}}.';
      show: 'Show it';
    };
    look: {
      label: 'Look at {{name}}';
      hint: 'Arrow keys go on, Enter opens the preview, Space closes.';
      folderHint: 'Arrow keys go on, Enter opens the folder, Space closes.';
      large: 'Too large for a quick look';
      largeBody: 'A look reads at most {{limit}}. Press Enter to open the preview.';
    };
    edit: {
      begin: 'Edit';
      save: 'Save';
      done: 'Done';
      changed: 'Not saved yet';
      saved: 'Saved to the bucket';
      kept: 'Your text is not in the bucket yet. Cooper keeps a copy of it on this computer until it is, or until you discard it.';
      notText: 'This file cannot be edited here';
      notTextBody: 'Some of its bytes are not text, and saving would change them. Download it and edit it in another program.';
      limit: 'Cooper edits texts of up to {{limit}}. It replaces the object only if nobody else has changed it meanwhile.';
    };
    thumbnail: {
      failed: 'No thumbnail: Cooper could not read the image.';
      paid: 'No thumbnail yet: the service charges for reading this storage class.';
      archived: 'No thumbnail yet: the object is archived. Restore it first.';
      show: 'Show';
    };
    hex: {
      label: 'Bytes of {{name}}';
      offset: 'Offset';
      find: 'Find';
      form: 'Search for';
      text: 'Text';
      bytes: 'Bytes';
      goTo: 'Go to offset';
      goToHint: 'A number of bytes, such as 4096 or 0x1000. Press Enter to go there.';
      notHex: 'Write bytes in hexadecimal, such as de ad be ef';
      failed: 'Cooper could not read the rest of the file. Search again.';
    };
    encoding: {
      label: 'Encoding';
      names: {
        'utf-8': 'UTF-8';
        'utf-16le': 'UTF-16 LE';
        'utf-16be': 'UTF-16 BE';
        'windows-1252': 'Western (Windows-1252)';
        'windows-1250': 'Central European (Windows-1250)';
        'windows-1251': 'Cyrillic (Windows-1251)';
        'windows-1253': 'Greek (Windows-1253)';
        'windows-1254': 'Turkish (Windows-1254)';
        'windows-1255': 'Hebrew (Windows-1255)';
        'windows-1256': 'Arabic (Windows-1256)';
        'iso-8859-2': 'Central European (ISO 8859-2)';
        'iso-8859-5': 'Cyrillic (ISO 8859-5)';
        'koi8-r': 'Cyrillic (KOI8-R)';
        ibm866: 'Cyrillic (DOS 866)';
        shift_jis: 'Japanese (Shift_JIS)';
        'euc-jp': 'Japanese (EUC-JP)';
        'iso-2022-jp': 'Japanese (ISO-2022-JP)';
        gb18030: 'Chinese (GB18030, GBK)';
        big5: 'Chinese (Big5)';
        'euc-kr': 'Korean (EUC-KR)';
      };
      auto: 'Automatic encoding';
    };
  };
}

/** The texts of the hosts and of the start command, in English. */
export interface EnglishHostMessages {
  usage: 'Usage: {{command}} [flags] [s3://BUCKET/PREFIX]\n\n  --desktop       open in Electron, or explain why that is not possible\n  --browser       open in the browser, even if Electron is available\n  --port N        serve the browser on this port (1 to 65535; 0 picks a free port)\n  --no-open       print the address without opening a window\n  --data-dir DIR  keep connections, settings and sample buckets in this folder\n  --help          show this help\n\n`cooper service` runs only the object storage of the sample buckets; see `cooper service --help`.';
  usageInstalled: '{{usage}}\n  --version       show the version';
  usageService: 'Usage: {{command}} [flags]\n\nRuns only the object storage of the sample buckets, for other programs, until you press Ctrl-C.\n\n  --data-dir DIR  the data folder with its keys and buckets; created if it does not exist\n  --port N        listen on this port of 127.0.0.1 (1 to 65535; 0 picks a free port)\n  --help          show this help';
  serviceReady: 'The object storage is ready at {{address}}, region {{region}}.';
  serviceKeys: 'Its keys are in {{file}}, which only you can read.';
  serviceKeysSetAside: 'The file with the keys could not be read. It is now called {{file}}, and Cooper created new keys: enter them in your other programs.';
  serviceEnd: 'Press Ctrl-C to stop.';
  serviceFolderInUse: 'The data folder {{dir}} is in use by Cooper or by another `cooper service`. Quit it, or choose another folder with --data-dir.';
  usageDesktop: 'Usage: cooper [flags] [s3://BUCKET/PREFIX]\n\n  --data-dir=DIR  keep connections, settings and sample buckets in this folder\n  --help          show this help\n  --version       show the version';
  flagProblem: '{{problem}} Run `{{command}} --help` for the flags.';
  flagUnknown: 'There is no flag {{flag}}.';
  flagNeedsValue: '{{flag}} needs a value.';
  flagTakesNoValue: '{{flag}} takes no value.';
  flagWord: '“{{word}}” is not a flag.';
  linkUnusable: '“{{link}}” is not an address: write s3://BUCKET/PREFIX.';
  flagsExclude: '{{first}} and {{second}} cannot be used together.';
  portUnusable: '“{{value}}” is not a port: use a whole number from 0 to 65535.';
  dataDirEmpty: '--data-dir needs the name of a folder.';
  dataDirUnusable: 'Cooper cannot use the data folder {{dir}}: {{reason}} Choose another one with --data-dir.';
  reasonNotAFolder: 'it is not a folder.';
  reasonDenied: 'you have no permission to write there.';
  reasonReadOnly: 'it is on a read-only file system.';
  reasonNotYours: 'it belongs to another user.';
  reasonShared: 'other users or programs use it too. Cooper needs a folder of its own.';
  reasonRightsStay: 'other users of this computer can read it, and its file system does not let Cooper change that.';
  reasonQuota: 'your disk quota is used up.';
  reasonStale: 'the network drive no longer knows it; connect the drive again.';
  reasonFull: 'the disk is full.';
  reasonOther: '{{detail}}.';
  portTaken: 'Another program uses port {{port}}. Choose another one with --port, or omit --port.';
  portDenied: 'You have no permission to use port {{port}}. Choose one above 1023, or omit --port.';
  portFailed: 'Cooper cannot use port {{port}}: {{detail}}.';
  ready: 'Cooper is ready at {{address}}';
  alreadyRunning: 'Cooper is already running with this data folder. Here is a new address for it.';
  alreadyOpen: 'Cooper is already open with this data folder. Its window is now in front.';
  runningButSilent: 'Another Cooper uses the data folder {{dir}} but does not respond. Quit it, or choose another folder with --data-dir.';
  newAddress: 'New address: {{address}}';
  plainAddress: 'If your browser cannot find it, or through ssh -L: {{address}}';
  enterForAddress: 'An address opens one window, within 10 minutes. Press Enter for another address, Ctrl-C to quit.';
  building: 'Building Cooper …';
  buildFailed: 'Cooper could not be built:';
  nodeTooOld: 'Cooper needs Node {{needed}} or later; this is Node {{found}}.';
  noDisplay: 'There is no display for Electron, so Cooper runs in the browser.';
  noDisplayForDesktop: 'Electron needs a display, and there is none here. Omit --desktop to use the browser.';
  electronAsRoot: 'Electron does not run as root, so Cooper runs in the browser.';
  electronAsRootForDesktop: 'Electron does not run safely as root. Start Cooper as another user, or omit --desktop to use the browser.';
  electronFetching: 'Fetching Electron, once …';
  electronMissing: 'Cooper could not get Electron ({{reason}}), so it runs in the browser.';
  electronMissingForDesktop: 'Cooper could not get Electron ({{reason}}). Omit --desktop to use the browser.';
  electronNotInstalled: 'Electron is not installed beside Cooper. Install it with `npm install -g electron`, or leave --desktop out to use the browser.';
  electronFailed: 'Electron did not start ({{reason}}), so Cooper runs in the browser.';
  electronFailedForDesktop: 'Electron did not start ({{reason}}). Omit --desktop to use the browser.';
  startFailed: 'Cooper could not start: {{detail}}';
  menuFile: 'File';
  menuEdit: 'Edit';
  menuView: 'View';
  menuWindow: 'Window';
  menuGo: 'Go';
  menuHelp: 'Help';
  menuServices: 'Services';
  menuHide: 'Hide Cooper';
  menuHideOthers: 'Hide others';
  menuShowAll: 'Show all';
  menuQuit: 'Quit Cooper';
  menuExit: 'Exit';
  menuUndo: 'Undo';
  menuRedo: 'Redo';
  menuCut: 'Cut';
  menuCopy: 'Copy';
  menuPaste: 'Paste';
  menuSelectAll: 'Select all';
  menuActualSize: 'Actual size';
  menuZoomIn: 'Zoom in';
  menuZoomOut: 'Zoom out';
  menuFullScreen: 'Full screen';
  menuDeveloperTools: 'Developer tools';
  menuMinimise: 'Minimise';
  menuZoomWindow: 'Zoom';
  menuAllToFront: 'Bring all to front';
  menuCloseWindow: 'Close window';
  menuNewWindow: 'New window';
  menuNewTab: 'New tab';
  menuUploadFiles: 'Upload files…';
  menuUploadFolder: 'Upload a folder…';
  menuDownload: 'Download…';
  menuNewBucket: 'New bucket…';
  menuCloseTab: 'Close tab';
  menuSettings: 'Settings…';
  menuAbout: 'About Cooper';
  menuUpdates: 'Check for updates…';
  menuFilter: 'Find in this folder';
  menuReload: 'Reload the folder';
  menuSidebar: 'Sidebar';
  menuDetails: 'Details';
  menuPanes: 'Two places side by side';
  menuTransfers: 'Transfers';
  menuRequestLog: 'Request log';
  menuPalette: 'Commands…';
  menuBack: 'Back';
  menuForward: 'Forward';
  menuUp: 'Up one folder';
  menuGoTo: 'Go to an address…';
  menuUploads: 'Stalled uploads';
  menuBookmark: 'Bookmark this folder';
  quitTitle: 'Quit Cooper?';
  quitMessage_one: '{{count}} transfer is running.';
  quitMessage_other: '{{count}} transfers are running.';
  quitDetail: 'Finished work is kept. The rest continues when you start Cooper again.';
  quitLeave: 'Quit';
  quitStay: 'Cancel';
  windowCrashingTitle: 'The window keeps crashing';
  windowCrashingDetail: 'Transfers continue, and your data is not affected. The log in the data folder has the details.';
  windowCrashingReload: 'Reload';
  windowCrashingClose: 'Close the window';
  noticeMany_one: '{{count}} transfer ended';
  noticeMany_other: '{{count}} transfers ended';
  noticeManyBody: 'Open Cooper to see the results.';
  noticeDone: 'Finished: {{name}}';
  noticeNothingDone: 'Nothing done: {{name}}';
  noticePaused: 'Paused: {{name}}';
  noticeAttention: 'Needs attention: {{name}}';
  noticeOthers_one: '{{name}} and {{count}} more';
  noticeOthers_other: '{{name}} and {{count}} more';
  noticeWhere: '{{what}} · {{bucket}}';
  noticeWhy: '{{where}}. Open Cooper to see why.';
  noticeFailed_one: '{{where}}. {{count}} object failed: the report names it.';
  noticeFailed_other: '{{where}}. {{count}} objects failed: the report names them.';
  noticeComplete: 'Complete';
  noticeResume: 'Resume';
  noticeAbort: 'Abort';
  noticeUpload: 'Upload';
  noticeDownload: 'Download';
  noticeCopy: 'Copy';
  noticeMove: 'Move';
  noticeRename: 'Rename';
  noticeDelete: 'Delete';
  noticeChange: 'Change properties';
  noticeAbortMany: 'Abort uploads';
  noticeCompleteMany: 'Complete uploads';
  noticeResumeMany: 'Resume uploads';
  noticeBatch: 'Batch job on AWS';
  dialogPlainTextTitle: 'Save secrets without encryption?';
  dialogPlainTextMessage: 'This system has no password store that Cooper can use.';
  dialogPlainTextDetail: 'Cooper can save secret keys in a file that only your account can read, without encryption, or keep them only until you quit.';
  dialogPlainTextKeep: 'Save in a file';
  dialogPlainTextMemory: 'Keep until I quit';
  dialogStartFailedTitle: 'Cooper could not start';
  menuQuickOpen: 'Quick open…';
  menuShortcuts: 'Keyboard shortcuts';
  logUnwritable: 'Cooper cannot write its log {{file}} ({{reason}}). Make it writable for your account, move it away, or choose another folder with --data-dir.';
  unsavedTitle: 'Close without saving?';
  unsavedDetail: 'The text you are editing has changes that are not saved.';
  unsavedStay: 'Keep editing';
  unsavedDiscard: 'Discard changes';
}
