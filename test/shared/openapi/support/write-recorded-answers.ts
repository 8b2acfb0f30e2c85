import { writeFile } from 'node:fs/promises';
import { type RecordedAnswer, recordedAnswers } from '../../../../shared/openapi/recorded-answers.ts';
import { answerAnew, startForExamples } from './answer-recorded.ts';

/* Asks for every example anew and writes the answers down. A new example begins as an entry with its request. */
const service = await startForExamples();
try {
  const answers: RecordedAnswer[] = [];
  for (const recorded of recordedAnswers()) answers.push(await answerAnew(service, recorded));
  await writeFile('shared/openapi/recorded-answers.json', `${JSON.stringify(answers, null, 2)}\n`);
} finally {
  await service.running.close();
}
