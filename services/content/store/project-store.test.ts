import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { projectStoreContract } from './project-store.contract.ts';

describeEachEngine('project and projection store', projectStoreContract);
