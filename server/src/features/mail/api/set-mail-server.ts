import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { findMailServer } from '../mail-server.ts'
import { getMailServer, requireMailServer } from './get-mail-server.ts'
import { mailPasswordRequired } from './problems.ts'
import { MailServer, SetMailServerRequest } from './schemas.ts'

export const setMailServer = operation({
  id: 'setMailServer',
  route: 'PUT /api/admin/mail-server',
  summary: 'Set the mail server through which reports are sent',
  description:
    'There is one mail server at most. Connections are encrypted, and its certificate is verified; both cannot be turned off. testMailServer shows whether it takes mails.',
  role: 'admin.manage',
  extension: true,
  body: SetMailServerRequest,
  returns: ok(MailServer),
  problems: [mailPasswordRequired],
  shows: getMailServer,
  async handle({ body, db, services }) {
    const {
      host,
      port,
      tlsMode,
      userName = null,
      password,
      fromAddress,
      recipientDomains,
      caCertificates = null,
    } = body
    const stored = await findMailServer(db)
    const isSameAccount = stored?.host === host && stored.port === port && stored.userName === userName
    // Otherwise a person who changes the host could let the service send the password there.
    if (password === undefined && stored?.sealedPassword && !isSameAccount) throw mailPasswordRequired()
    const sealed =
      password === undefined ? (stored?.sealedPassword ?? null) : password && services.keys.sealValue(password)
    await sql`
      insert into mail_server (host, port, tls_mode, user_name, sealed_value, from_address, recipient_domains, ca_certificates)
      values (${host}, ${port}, ${tlsMode}, ${userName}, ${sealed || null}::bytea, ${fromAddress}, ${recipientDomains}::text[],
        ${caCertificates})
      on conflict (id) do update set host = excluded.host, port = excluded.port, tls_mode = excluded.tls_mode,
        user_name = excluded.user_name, sealed_value = excluded.sealed_value, from_address = excluded.from_address,
        recipient_domains = excluded.recipient_domains, ca_certificates = excluded.ca_certificates`.execute(db)
    return requireMailServer(db)
  },
})
