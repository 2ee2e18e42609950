import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { webhookStoreContract } from './webhook-store.contract.ts';

describeEachEngine('webhook store', webhookStoreContract);
