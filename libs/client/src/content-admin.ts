import type { Client } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import type { CallOptions } from './call-options.ts';
import {
  type DecisionEdit,
  type DecisionMethods,
  decisionMethods,
  type NewDecision,
} from './decision-methods.ts';
import type { DecisionRecord, ProjectRecord } from './decision-record.ts';
import { type ProjectMethods, projectMethods } from './project-methods.ts';
import { everyPage, given, translated } from './rpc-answer.ts';
import { type SkippedTextRecord, skippedTextFromProto } from './skipped-text.ts';

/** Which team, by its slug. */
interface InTeam {
  team: string;
}

/** Administration of what teams know. Every method throws RpcError. */
export interface ContentAdmin {
  /** The decisions of the team of this slug. */
  decisions(team: string): DecisionMethods;
  /** As `decisions(team).create`. */
  createDecision(decision: NewDecision & InTeam, options?: CallOptions): Promise<DecisionRecord>;
  /** As `decisions(team).edit`. */
  editDecision(
    decisionId: string,
    edit: DecisionEdit & InTeam,
    options?: CallOptions,
  ): Promise<DecisionRecord>;
  /** The created projects of the team of this slug. */
  projects(team: string): ProjectMethods;
  /** As `projects(team).create`. */
  createProject(
    project: { slug: string; name: string } & InTeam,
    options?: CallOptions,
  ): Promise<ProjectRecord>;
  /** Yields the items and decisions of a team of which no tasks were made, or not all, page by page. */
  listSkippedTexts(team: string, options?: CallOptions): AsyncGenerator<SkippedTextRecord[]>;
}

/** The most that the service gives at once. */
const textsPerPage = 200;

/** The methods of an administrator's client that the content service answers; it knows teams by id only. */
export function contentMethods(
  auth: Client<typeof AuthService>,
  content: Client<typeof ContentService>,
): ContentAdmin {
  const teamIdOf = async (slug: string, options?: CallOptions) =>
    given((await auth.getTeam({ slug }, options)).team).teamId;
  const projects = (team: string) => projectMethods(content, (options) => teamIdOf(team, options));
  const decisions = (team: string) => decisionMethods(content, (options) => teamIdOf(team, options));
  return {
    decisions,
    createDecision: ({ team, ...decision }, options) => decisions(team).create(decision, options),
    editDecision: (decisionId, { team, ...edit }, options) => decisions(team).edit(decisionId, edit, options),
    projects,
    createProject: ({ team, ...project }, options) => projects(team).create(project, options),
    async *listSkippedTexts(team, options) {
      const teamId = await translated(() => teamIdOf(team, options));
      const pages = everyPage((pageToken) =>
        content.listSkippedTexts({ teamId, pageSize: textsPerPage, pageToken }, options),
      );
      for await (const { texts } of pages) yield texts.map(skippedTextFromProto);
    },
  };
}
