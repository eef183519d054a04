import type { MusterClient } from '@muster/client'
import { readOperations } from './document.ts'

/** What operations do, in the words of the API: "Activate a group". An operation that the service does not describe keeps its id. */
export async function readOperationWords(client: MusterClient): Promise<(id: string) => string> {
  const operations = await readOperations(client).catch(() => [])
  const words = new Map(operations.map(({ id, summary }) => [id, summary]))
  return (id) => words.get(id) ?? id
}
