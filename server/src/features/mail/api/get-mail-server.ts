import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { findMailServer } from '../mail-server.ts'
import { mailServerNotFound } from './problems.ts'
import { MailServer } from './schemas.ts'

export const getMailServer = operation({
  id: 'getMailServer',
  route: 'GET /api/admin/mail-server',
  summary: 'Get the mail server through which reports are sent',
  role: 'admin.manage',
  extension: true,
  returns: ok(MailServer),
  problems: [mailServerNotFound],
  handle: ({ db }) => requireMailServer(db),
})

export async function requireMailServer(db: Database) {
  const server = await findMailServer(db)
  if (!server) throw mailServerNotFound()
  const { sealedPassword, ...settings } = server
  return { ...settings, hasPassword: sealedPassword !== null }
}
