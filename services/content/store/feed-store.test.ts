import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { feedPagesContract } from './feed-pages.contract.ts';
import { feedStoreContract } from './feed-store.contract.ts';

describeEachEngine('feed store', feedStoreContract);

describeEachEngine('feed store to its readers', feedPagesContract);
