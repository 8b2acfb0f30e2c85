import { datasetLines } from './evaluator/events.ts';
import { startWithLines } from './evaluator/service.ts';
import { lqlCasesSuite } from './support/cases-suite.ts';

lqlCasesSuite(() => startWithLines(datasetLines()));
