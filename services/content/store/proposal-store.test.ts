import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { proposalStoreContract } from './proposal-store.contract.ts';

describeEachEngine('proposal store', proposalStoreContract);
