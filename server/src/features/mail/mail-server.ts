import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export const tlsModes = ['StartTls', 'Implicit'] as const

export type MailServerSettings = {
  host: string
  port: number
  tlsMode: (typeof tlsModes)[number]
  userName: string | null
  fromAddress: string
  recipientDomains: string[]
  caCertificates: string | null
}

export type StoredMailServer = MailServerSettings & { sealedPassword: Buffer | null }

/** The mail server; undefined if no administrator has named one. */
export async function findMailServer(db: Database): Promise<StoredMailServer | undefined> {
  const { rows } = await sql<StoredMailServer>`
    select host, port, tls_mode as "tlsMode", user_name as "userName", from_address as "fromAddress",
      recipient_domains as "recipientDomains", ca_certificates as "caCertificates", sealed_value as "sealedPassword"
    from mail_server`.execute(db)
  return rows[0]
}

/** An address with plain parts: nothing in it ends a header or begins another address. */
export const mailAddressPattern = "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$"

const isAddress = new RegExp(mailAddressPattern)

/** The first address to which nothing may be sent. */
export function findRefusedRecipient(
  { recipientDomains }: Pick<MailServerSettings, 'recipientDomains'>,
  recipients: readonly string[],
): string | undefined {
  const domains = new Set(recipientDomains.map((domain) => domain.toLowerCase()))
  return recipients.find(
    (recipient) =>
      !isAddress.test(recipient) || !domains.has(recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase()),
  )
}
