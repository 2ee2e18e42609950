import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { ProgressStore } from '../domain/feed/progress.ts';

interface ProgressDocument {
  /** The team. */
  _id: string;
  team_id: string;
  tasks_seq: number;
  items_seq: number;
  decisions_seq: number;
  /** Absent before the first change of a project. */
  projects_version?: number;
  /** Absent in documents of 0.1. */
  task_form?: number;
}

/** Stores progress in MongoDB, sharded by team. `ProgressStore` says what each method promises. */
export function createMongoProgressStore(connection: MongoConnection): ProgressStore {
  const teams = connection.db.collection<ProgressDocument>('projection_places');
  return {
    async progress(teamId) {
      const stored = await connection.call((deadline) =>
        teams.findOne({ _id: teamId, team_id: teamId }, deadline),
      );
      return {
        tasksSeq: stored?.tasks_seq ?? 0,
        itemsSeq: stored?.items_seq ?? 0,
        decisionsSeq: stored?.decisions_seq ?? 0,
        taskForm: stored?.task_form ?? 0,
        projectsVersion: stored?.projects_version ?? 0,
      };
    },
    async keep(teamId, { tasksSeq, itemsSeq, decisionsSeq, taskForm }) {
      const filter = { _id: teamId, team_id: teamId, tasks_seq: { $lte: tasksSeq } };
      const fields = {
        tasks_seq: tasksSeq,
        items_seq: itemsSeq,
        decisions_seq: decisionsSeq,
        task_form: taskForm,
      };
      try {
        await connection.call((deadline) =>
          teams.updateOne(filter, { $set: fields }, { ...deadline, upsert: true }),
        );
      } catch (error) {
        // The upsert collides with the document of a later position, which stays.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async raiseProjectsVersion(teamId) {
      const update = {
        $inc: { projects_version: 1 },
        $setOnInsert: { tasks_seq: 0, items_seq: 0, decisions_seq: 0 },
      };
      const raise = () =>
        connection.call((deadline) =>
          teams.updateOne({ _id: teamId, team_id: teamId }, update, { ...deadline, upsert: true }),
        );
      try {
        await raise();
      } catch (error) {
        // Another process made the document at the same time; now it exists.
        if (!isDuplicateKey(error)) throw error;
        await raise();
      }
    },
    async all(afterTeamId, limit) {
      const found = await connection.call((deadline) =>
        teams.find({ _id: { $gt: afterTeamId } }, { ...deadline, sort: { _id: 1 }, limit }).toArray(),
      );
      return found.map(({ _id, tasks_seq, items_seq, decisions_seq, projects_version = 0 }) => ({
        teamId: _id,
        changes: tasks_seq + items_seq + decisions_seq + projects_version,
      }));
    },
  };
}
