import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { itemPagesContract } from './item-pages.contract.ts';
import { itemStoreContract } from './item-store.contract.ts';

describeEachEngine('item store', itemStoreContract);

describeEachEngine('item store to its readers', itemPagesContract);
