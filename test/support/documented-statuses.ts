import type { OpenApiDocument } from './conformance-document.ts';

/** Every status that each operation can answer by the document, in ascending order, by operationId. */
export function documentedStatuses(document: OpenApiDocument): Map<string, number[]> {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  return new Map(
    operations.map(({ operationId, responses }) => [
      operationId,
      Object.keys(responses)
        .map(Number)
        .toSorted((a, b) => a - b),
    ]),
  );
}
