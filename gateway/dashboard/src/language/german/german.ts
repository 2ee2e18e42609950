import type { Catalogue } from '../catalogue.ts';
import { common } from './common.ts';
import { connect } from './connect.ts';
import { consent } from './consent.ts';
import { decisions } from './decisions.ts';
import { invitation } from './invitation.ts';
import { maturity } from './maturity.ts';
import { memory } from './memory.ts';
import { money } from './money.ts';
import { news } from './news.ts';
import { projects } from './projects.ts';
import { readiness } from './readiness.ts';
import { review } from './review.ts';
import { tasks } from './tasks.ts';
import { team } from './team.ts';
import { write } from './write.ts';

/** All texts but those of the first view. */
export const german: Catalogue = {
  ...common,
  ...connect,
  ...consent,
  ...decisions,
  ...invitation,
  ...maturity,
  ...memory,
  ...money,
  ...news,
  ...projects,
  ...readiness,
  ...review,
  ...tasks,
  ...team,
  ...write,
};
