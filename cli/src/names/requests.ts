import type { MusterClient } from '@muster/client'
import { chooseOne, isSameName } from './choose.ts'

/** Fewer characters are no id: an empty text in a script would mean any request. */
const minBeginning = 4

const begins = (id: string, text: string) => text.length >= minBeginning && id.startsWith(text.toLowerCase())

const wholeId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The id of an approval. One that waits can be given by the beginning of its id, or by the name of what it affects. */
export async function findApproval(client: MusterClient, text: string): Promise<string> {
  if (wholeId.test(text)) return text
  const found: { id: string; line: string }[] = []
  for await (const { approvalId: id, operation, subjects, requesterName } of client.pages('/api/approvals', {
    query: { state: 'Pending' },
  }))
    if (begins(id, text) || subjects.some(({ name }) => isSameName(name, text)))
      found.push({ id, line: `${id}  ${operation} by ${requesterName}` })
  return chooseOne(found, 'waiting request', text, ({ line }) => line).id
}

/** The id of a package request. One that waits can be given by the beginning of its id, its computer, or what is wished. */
export async function findPackageRequest(client: MusterClient, text: string): Promise<string> {
  if (wholeId.test(text)) return text
  const found: { id: string; line: string }[] = []
  for await (const { requestId: id, wish, hostname, userName } of client.pages('/api/package-requests', {
    query: { state: 'Pending' },
  }))
    if (begins(id, text) || isSameName(hostname, text) || isSameName(wish, text))
      found.push({ id, line: `${id}  ${wish} (${hostname}, ${userName})` })
  return chooseOne(found, 'waiting request', text, ({ line }) => line).id
}
