/** The page that shows an item, at a line of its text if one is given. */
export function itemPath(rowKey: string, line?: number): string {
  const path = rowKey.split('/').map(encodeURIComponent).join('/');
  return `/memory/${path}${line === undefined ? '' : `#L${line}`}`;
}

/** The page that shows a decision. */
export function decisionPath(decisionId: string): string {
  return `/decisions/${encodeURIComponent(decisionId)}`;
}

/** The page on which a proposal is reviewed. */
export function proposalPath(proposalId: string): string {
  return `/review/${encodeURIComponent(proposalId)}`;
}

/** The page that shows a project. */
export function projectPath(slug: string): string {
  return `/projects/${encodeURIComponent(slug)}`;
}

/** The page on which an item is written, or a new one in a folder. */
export function writePath(what: { item: string } | { folder: string }): string {
  return `/write?${new URLSearchParams(what)}`;
}
