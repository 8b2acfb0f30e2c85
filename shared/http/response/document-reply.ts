import { chooseCoding, compress } from '../formats/coding.ts';
import type { Exchange } from '../server/route.ts';
import { jsonReply, type Reply } from './reply.ts';

/** The reply with a JSON document that depends on the token, in the coding that the caller prefers. */
export async function documentReply({ req, timing }: Exchange, document: unknown): Promise<Reply> {
  const coding = chooseCoding(req.headers);
  const body = await compress(Buffer.from(JSON.stringify(document)), coding);
  timing.end('encode');
  const headers = ['Vary', 'X-API-KEY, Authorization, Accept-Encoding'];
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  return jsonReply(200, body, headers);
}
