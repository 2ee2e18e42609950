import {
  type DocumentKind,
  type IndexedPassage,
  publicKeyOf,
  shownDay,
  type Tier,
} from '../passages/passage.ts';

/** What an answer rests on. */
export interface Source {
  /**
   * `decisions/<decision_id>` for a decision, `projects/<slug>` for a project; a task has the key of the text that
   * contains it.
   */
  rowKey: string;
  title: string;
  tier: Tier;
  /** 'item' where it is left out. */
  kind?: DocumentKind | 'task';
  /** YYYY-MM-DD; left out where none is known. */
  date?: string;
  status?: string;
  /** A guest wrote it, or what a task stands in. */
  isByGuest?: boolean;
  /** The day by which it wants to be checked again, YYYY-MM-DD. */
  checkBy?: string;
  /** The sentence that matched best, verbatim; left out where no passage was matched. */
  quote?: string;
}

/** A note that comes closest to a question that nothing answers. */
export interface ClosestNote {
  /** As of `Source`. */
  rowKey: string;
  title: string;
}

/** Text in parts, to be read one after the other, and what it cites: `[1]` is the first source. */
export interface Answer {
  parts: readonly string[];
  /** Most important first, each once; empty where nothing relevant was found. */
  sources: readonly Source[];
  /** Up to three notes, where nothing answers; left out else. */
  closest?: readonly ClosestNote[];
}

/** A passage's item, decision or project as a source. */
export function sourceOf({ rowKey, title, tier, kind, fields }: IndexedPassage): Source {
  const { status } = fields;
  const date = shownDay(fields);
  return {
    rowKey: publicKeyOf(rowKey),
    title,
    tier,
    kind,
    ...(date === '' ? {} : { date }),
    ...(status === '' ? {} : { status }),
    ...(fields.isByGuest && { isByGuest: true }),
    ...(fields.checkBy !== undefined && { checkBy: fields.checkBy }),
  };
}
