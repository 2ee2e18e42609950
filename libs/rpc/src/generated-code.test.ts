import type { DescFile } from '@bufbuild/protobuf';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { file_teammemory_common_v1_error } from '@teammemory/proto/common/v1/error_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { expect, test } from 'vitest';

/** Every file of ours: those of the services and what they import. */
function ourFiles(): DescFile[] {
  const found = new Set<DescFile>();
  const add = (file: DescFile) => {
    if (found.has(file) || !file.proto.package.startsWith('teammemory.')) return;
    found.add(file);
    file.dependencies.forEach(add);
  };
  for (const { file } of [AnalyticsService, AuthService, ContentService, QueryService]) add(file);
  add(file_teammemory_common_v1_error);
  return [...found];
}

test.each(ourFiles().map((file) => [file.name, file] as const))(
  'code that Go and Java callers made of %s stays in its package',
  (_, { proto }) => {
    const noun = proto.package.split('.')[1];
    expect(proto.options).toMatchObject({
      goPackage: `teammemory.example/gen/teammemory/${noun}/v1;${noun}v1`,
      javaMultipleFiles: true,
      javaPackage: `com.teammemory.${noun}.v1`,
    });
  },
);
