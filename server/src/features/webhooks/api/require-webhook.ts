import type { Database } from '../../../database/connect.ts'
import { webhookRows } from '../webhook-rows.ts'
import { webhookNotFound } from './problems.ts'

export async function requireWebhook(db: Database, id: string) {
  const webhook = await webhookRows(db).where('id', '=', id).executeTakeFirst()
  if (!webhook) throw webhookNotFound({ webhookId: id })
  return webhook
}
