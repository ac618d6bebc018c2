"""What boto3 does with the object storage at the address in the arguments; ends with an error where an answer is wrong."""

import io
import os
import sys
import urllib.request

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError

MIB = 1024 * 1024
ODD = "a b+c%41/ü(1) & 好.txt"

client = boto3.client(
    "s3",
    endpoint_url=sys.argv[1],
    config=Config(s3={"addressing_style": "path"}, signature_version="s3v4", retries={"max_attempts": 1}),
)


def same(got, wanted):
    if got != wanted:
        raise SystemExit(f"{got!r} is not {wanted!r}")


def refused(code, call, **parameters):
    try:
        call(**parameters)
    except ClientError as error:
        same(error.response["Error"]["Code"], code)
        return
    raise SystemExit(f"{code} was to come")


def text(bucket, key, **parameters):
    return client.get_object(Bucket=bucket, Key=key, **parameters)["Body"].read().decode()


def unversioned(bucket):
    client.create_bucket(
        Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": os.environ["AWS_DEFAULT_REGION"]}
    )
    same([found["Name"] for found in client.list_buckets()["Buckets"]], [bucket])
    client.put_object(
        Bucket=bucket, Key=ODD, Body=b"odd", ContentType="text/x-odd", Metadata={"made-by": "boto3"},
        Tagging="colour=red", ChecksumAlgorithm="SHA256",
    )
    head = client.head_object(Bucket=bucket, Key=ODD)
    same((head["ContentLength"], head["ContentType"], head["Metadata"]), (3, "text/x-odd", {"made-by": "boto3"}))
    same(client.get_object_tagging(Bucket=bucket, Key=ODD)["TagSet"], [{"Key": "colour", "Value": "red"}])
    same(text(bucket, ODD, ChecksumMode="ENABLED"), "odd")
    same(text(bucket, ODD, ChecksumMode="ENABLED", Range="bytes=1-1"), "d")
    refused("304", client.get_object, Bucket=bucket, Key=ODD, IfNoneMatch=head["ETag"])
    refused("PreconditionFailed", client.get_object, Bucket=bucket, Key=ODD, IfMatch='"another"')
    refused("NoSuchKey", client.get_object, Bucket=bucket, Key="none")
    refused("404", client.head_object, Bucket=bucket, Key="none")

    link = client.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": ODD}, ExpiresIn=60)
    with urllib.request.urlopen(link) as answer:
        same(answer.read(), b"odd")

    # The transfer manager sends and fetches this in parts.
    big = bytes(range(256)) * (13 * MIB // 256)
    parts = TransferConfig(multipart_threshold=6 * MIB, multipart_chunksize=6 * MIB)
    client.upload_fileobj(io.BytesIO(big), bucket, "big", Config=parts, ExtraArgs={"ChecksumAlgorithm": "CRC32"})
    same(client.head_object(Bucket=bucket, Key="big")["ETag"][-3:], '-3"')
    back = io.BytesIO()
    client.download_fileobj(bucket, "big", back, Config=parts, ExtraArgs={"ChecksumMode": "ENABLED"})
    same(back.getvalue() == big, True)
    client.copy({"Bucket": bucket, "Key": "big"}, bucket, "copied", Config=parts)
    same(client.head_object(Bucket=bucket, Key="copied")["ContentLength"], len(big))

    for number in range(7):
        client.put_object(Bucket=bucket, Key=f"pages/{number}", Body=b"")
    for operation in ("list_objects", "list_objects_v2"):
        pages = client.get_paginator(operation).paginate(
            Bucket=bucket, Prefix="pages/", PaginationConfig={"PageSize": 3}
        )
        keys = [entry["Key"] for page in pages for entry in page["Contents"]]
        same(keys, [f"pages/{number}" for number in range(7)])
    folders = client.list_objects_v2(Bucket=bucket, Delimiter="/")["CommonPrefixes"]
    same([folder["Prefix"] for folder in folders], ["a b+c%41/", "pages/"])

    client.put_bucket_lifecycle_configuration(
        Bucket=bucket,
        LifecycleConfiguration={"Rules": [{
            "ID": "tidy", "Status": "Enabled", "Filter": {"Prefix": "pages/"}, "Expiration": {"Days": 3},
            "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 7},
        }]},
    )
    rule = client.get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"][0]
    same((rule["ID"], rule["Expiration"], rule["Status"]), ("tidy", {"Days": 3}, "Enabled"))

    refused("BucketNotEmpty", client.delete_bucket, Bucket=bucket)
    boto3.resource("s3", endpoint_url=sys.argv[1]).Bucket(bucket).objects.all().delete()
    client.delete_bucket(Bucket=bucket)
    print("unversioned: done")


def versioned(bucket):
    client.create_bucket(
        Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": os.environ["AWS_DEFAULT_REGION"]}
    )
    same("Status" in client.get_bucket_versioning(Bucket=bucket), False)
    client.put_object(Bucket=bucket, Key="k", Body=b"before")
    client.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    first = client.put_object(Bucket=bucket, Key="k", Body=b"first")["VersionId"]
    second = client.put_object(Bucket=bucket, Key="k", Body=b"second")["VersionId"]
    pages = client.get_paginator("list_object_versions").paginate(
        Bucket=bucket, PaginationConfig={"PageSize": 1}
    )
    same([each["VersionId"] for page in pages for each in page.get("Versions", [])], [second, first, "null"])
    same([text(bucket, "k", VersionId=each) for each in (first, second, "null")], ["first", "second", "before"])
    same(client.head_object(Bucket=bucket, Key="k", VersionId=first)["VersionId"], first)
    refused("InvalidArgument", client.get_object, Bucket=bucket, Key="k", VersionId="none")
    refused("NoSuchVersion", client.get_object, Bucket=bucket, Key="k", VersionId=first[::-1])

    marker = client.delete_object(Bucket=bucket, Key="k")
    same(marker["DeleteMarker"], True)
    refused("NoSuchKey", client.get_object, Bucket=bucket, Key="k")
    refused("MethodNotAllowed", client.get_object, Bucket=bucket, Key="k", VersionId=marker["VersionId"])
    same("Contents" in client.list_objects_v2(Bucket=bucket), False)
    client.delete_object(Bucket=bucket, Key="k", VersionId=marker["VersionId"])
    same(text(bucket, "k"), "second")

    source = {"Bucket": bucket, "Key": "k", "VersionId": first}
    client.copy_object(Bucket=bucket, Key="k", CopySource=source)
    same(text(bucket, "k"), "first")

    client.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Suspended"})
    same(client.put_object(Bucket=bucket, Key="k", Body=b"null again").get("VersionId"), "null")
    same(text(bucket, "k", VersionId="null"), "null again")

    refused("BucketNotEmpty", client.delete_bucket, Bucket=bucket)
    boto3.resource("s3", endpoint_url=sys.argv[1]).Bucket(bucket).object_versions.delete()
    client.delete_bucket(Bucket=bucket)
    print("versioned: done")


unversioned("by-boto3")
versioned("by-boto3-versioned")
