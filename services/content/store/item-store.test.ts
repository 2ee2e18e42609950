import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { itemStoreContract } from './item-store.contract.ts';

describeEachEngine('item store', itemStoreContract);
